import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("Content transitions of symbols") @MainActor
struct SymbolReplacementTests {
    private final class Handle { var isOn: Binding<Bool>? }
    private struct Root: View {
        let handle: Handle
        let transition: ContentTransition
        @State private var isOn = false
        var body: some View {
            let _ = handle.isOn = $isOn
            Image(systemName: isOn ? "circle.fill" : "square.fill").resizable().frame(width: 40, height: 40)
                .foregroundStyle(Color(red: 1, green: 0, blue: 0))
                .contentTransition(transition)
        }
    }

    private func make(_ transition: ContentTransition, style: PlatformStyle = .desktop) -> (Stage, Handle) {
        let handle = Handle()
        return (Stage(40, 40) { Root(handle: handle, transition: transition).platformStyle(style) }, handle)
    }

    @Test(
        "the old symbol leaves before the new one appears",
        arguments: [
            // The opacity in the middle of the image after a quarter, a half and three quarters of the animation.
            (ReplaceSymbolEffect.replace, [128, 0, 128]), (.replace.downUp, [128, 0, 128]),
            (.replace.upUp, [128, 0, 128]), (.replace.offUp, [64, 128, 191]),
        ])
    func replace(effect: ReplaceSymbolEffect, opacities: [Int]) {
        let (stage, handle) = make(.symbolEffect(effect))
        #expect(stage.pixel(20, 20)[3] == 255)
        withAnimation(.linear(duration: 1)) { handle.isOn?.wrappedValue = true }
        stage.layOut()
        for (time, opacity) in zip([0.25, 0.5, 0.75], opacities) {
            stage.time = time
            #expect(abs(Int(stage.pixel(20, 20)[3]) - opacity) <= 3, "\(time)")
        }
        stage.time = 1.01
        #expect(!stage.host.surface.root.isAnimating(stage.time))
        #expect(stage.pixel(20, 20)[3] == 255)
    }

    @Test("the old symbol shrinks or grows while it leaves")
    func scale() {
        func corner(_ effect: ReplaceSymbolEffect) -> UInt8 {
            let (stage, handle) = make(.symbolEffect(effect))
            withAnimation(.linear(duration: 1)) { handle.isOn?.wrappedValue = true }
            stage.layOut()
            stage.time = 0.25
            // This point is near the edge of the square.
            return stage.pixel(2, 20)[3]
        }
        #expect(corner(.replace) == 0 && corner(.replace.upUp) > 100)
    }

    @Test(
        "a fade needs an animated state change; a symbol effect doesn't",
        arguments: [PlatformStyle.desktop, .phone])
    func usual(style: PlatformStyle) {
        for (transition, isAnimated) in [
            (ContentTransition.symbolEffect(.replace), true), (.symbolEffect, true), (.identity, false),
            (.opacity, false), (.numericText(), false),
        ] {
            let (stage, handle) = make(transition, style: style)
            handle.isOn?.wrappedValue = true
            stage.layOut()
            #expect(stage.host.surface.root.isAnimating(0) == isAnimated, "\(transition)")
            stage.time = 1
            #expect(!stage.host.surface.root.isAnimating(1) && stage.pixel(20, 20)[3] == 255)
        }
        let (slow, handle) = make(.symbolEffect(.replace, options: .speed(0.1)))
        handle.isOn?.wrappedValue = true
        slow.layOut()
        #expect(slow.host.surface.root.isAnimating(1))
    }

    @Test("an animated fade shows both symbols at once")
    func fade() {
        let (stage, handle) = make(.opacity)
        withAnimation(.linear(duration: 1)) { handle.isOn?.wrappedValue = true }
        stage.layOut()
        stage.time = 0.5
        // Two layers of half the opacity.
        #expect(abs(Int(stage.pixel(20, 20)[3]) - 191) <= 3)
    }
}
