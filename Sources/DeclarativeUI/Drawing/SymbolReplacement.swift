import MediaCore
import Foundation
@_spi(Graph) import ViewGraph

/// The running change of an image from one symbol to another.
@MainActor
struct SymbolReplacement {
    /// The steps that draw the old symbol.
    let old: [SymbolStep]
    private let kind: ContentTransition.Kind
    private var progress = Animated(0.0)

    /// The scale factors of a symbol that is smaller or larger than usual.
    nonisolated static let small = 0.5
    private static let large = 1.4

    /// Creates the change from `old` to `new` with the transition and the animation of `fiber`. Returns nil if the
    /// symbols change at once.
    init?(_ old: [SymbolStep]?, _ new: [SymbolStep]?, _ fiber: _Fiber) {
        guard let old, new != nil else { return nil }
        let transaction = fiber.graph.transaction
        let animation: Animation?
        switch fiber.environment.contentTransition.kind {
        case .identity: return nil
        case .fade: animation = transaction.effective
        case .symbol(_, let options):
            let usual = transaction.disablesAnimations ? nil : Motion.slow
            animation = (transaction.effective ?? usual)?.speed(options.speed)
        }
        guard let animation else { return nil }
        self.old = old
        kind = fiber.environment.contentTransition.kind
        progress.set(1, animation, now: fiber.graph.now())
    }

    func isRunning(_ now: Double) -> Bool { progress.isRunning(now) }

    /// Draws the old symbol, or nothing if it has disappeared.
    func drawOld(_ context: DrawContext, _ rect: CGRect, _ body: () -> Void) {
        let amount = progress.value(context.now)
        switch kind {
        case .identity: break
        case .fade: context.faded(1 - amount, body)
        case .symbol(let effect, _):
            // The old symbol disappears in the first half.
            let gone = min(1, max(0, amount * 2))
            guard effect.direction != .offUp, gone < 1 else { return }
            let end = effect.direction == .upUp ? SymbolReplacement.large : SymbolReplacement.small
            scaled(1 + (end - 1) * gone, context, rect) { context.faded(1 - gone, body) }
        }
    }

    /// Draws the new symbol, or nothing if it has not appeared yet.
    func drawNew(_ context: DrawContext, _ rect: CGRect, _ body: () -> Void) {
        let amount = progress.value(context.now)
        switch kind {
        case .identity: body()
        case .fade: context.faded(amount, body)
        case .symbol(let effect, _):
            // A spring may overshoot, so the scale has no upper limit.
            let shown = effect.direction == .offUp ? amount : amount * 2 - 1
            guard shown > 0 else { return }
            let small = SymbolReplacement.small
            scaled(small + (1 - small) * shown, context, rect) { context.faded(shown, body) }
        }
    }

    private func scaled(_ scale: Double, _ context: DrawContext, _ rect: CGRect, _ body: () -> Void) {
        context.transformed(CGAffineTransform(scaleX: scale, y: scale).around(.center, rect), body)
    }
}
