import Foundation
import Synchronization

/// An animation of a layer, with what was made of it.
struct AttachedAnimation {
    let key: String?
    let token: UInt64
    let animation: CAAnimation
    /// Nil: it cannot be shown.
    let record: AnimationRecord?
    let problems: [String]
    let completion: TransactionCompletion?

    private static let lastToken = Atomic<UInt64>(0)
    static func nextToken() -> UInt64 { lastToken.add(1, ordering: .relaxed).newValue }
}

extension CALayer {
    /// Begins it when the layer is next shown; what it says is copied. Animations are carried out in the order they
    /// were added.
    ///
    /// - Parameter key: takes the place of the layer's animation of that name; nil: of none.
    public final func add(_ animation: CAAnimation, forKey key: String?) {
        let context = RecordContext(
            values: values, layer: name.map { "\(Swift.type(of: self)) “\($0)”" } ?? "\(Swift.type(of: self))",
            duration: CATransaction.animationDuration())
        let token = AttachedAnimation.nextToken()
        var record = animation.record(context, token: token)
        if animation.timingFunction == nil, !(animation is CASpringAnimation) {
            record?.pace = CATransaction.animationTimingFunction()?.curve
        }
        let completion = record == nil ? nil : CATransaction.completion
        completion?.enter()
        changeAnimations { all in
            if let key {
                for old in all where old.key == key { old.completion?.leave() }
                all.removeAll { $0.key == key }
            }
            all.append(
                AttachedAnimation(
                    key: key, token: token, animation: animation, record: record, problems: context.problems,
                    completion: completion))
        }
    }
    /// Takes away the animation of that name, at once; its delegate is told that it did not finish.
    public final func removeAnimation(forKey key: String) {
        guard attached.contains(where: { $0.key == key }) else { return }
        changeAnimations { all in
            for old in all where old.key == key { old.completion?.leave() }
            all.removeAll { $0.key == key }
        }
    }
    /// Takes away all animations, those without a name too, at once.
    public final func removeAllAnimations() {
        guard !attached.isEmpty else { return }
        changeAnimations { all in
            for old in all { old.completion?.leave() }
            all.removeAll()
        }
    }
    /// The animation that was added by that name and has not been removed; to be read only.
    public final func animation(forKey key: String) -> CAAnimation? { attached.first { $0.key == key }?.animation }
    /// In the order they were added; nil when there are none.
    public final func animationKeys() -> [String]? {
        let keys = attached.compactMap(\.key)
        return keys.isEmpty ? nil : keys
    }
}
