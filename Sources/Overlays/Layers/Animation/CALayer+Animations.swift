import Synchronization

/// An animation that was added to a layer, and the record that was made of it.
struct AttachedAnimation {
    let key: String?
    let token: UInt64
    let animation: CAAnimation
    /// The animation as a value, or nil if it cannot be shown.
    let record: AnimationRecord?
    let problems: [String]
    let completion: TransactionCompletion?

    private static let lastToken = Atomic<UInt64>(0)
    static func nextToken() -> UInt64 { lastToken.add(1, ordering: .relaxed).newValue }
}

extension CALayer {
    /// Adds an animation, which begins when the layer is next shown.
    ///
    /// The layer copies the properties of `animation`: later changes have no effect. Animations are applied in the
    /// order in which they were added.
    ///
    /// - Parameter key: The name of the animation. An existing animation with this name is replaced. If nil, the
    ///   animation has no name, and only `removeAllAnimations()` can remove it before its end.
    public final func add(_ animation: CAAnimation, forKey key: String?) {
        let context = RecordContext(
            values: values, layer: name.map { "\(Swift.type(of: self)) “\($0)”" } ?? "\(Swift.type(of: self))",
            duration: CATransaction.animationDuration())
        let token = AttachedAnimation.nextToken()
        var record = animation.record(context, token: token)
        if animation.timingFunction == nil, !(animation is CASpringAnimation) {
            record?.timingCurve = CATransaction.animationTimingFunction()?.curve
        }
        let completion = record == nil ? nil : CATransaction.completion
        completion?.enter(token)
        changeAnimations { all in
            if let key {
                for old in all where old.key == key { old.completion?.leave(old.token) }
                all.removeAll { $0.key == key }
            }
            all.append(
                AttachedAnimation(
                    key: key, token: token, animation: animation, record: record, problems: context.problems,
                    completion: completion))
        }
    }
    /// Removes the animation with this name immediately. Its delegate is called with `finished` false.
    public final func removeAnimation(forKey key: String) {
        guard attached.contains(where: { $0.key == key }) else { return }
        changeAnimations { all in
            for old in all where old.key == key { old.completion?.leave(old.token) }
            all.removeAll { $0.key == key }
        }
    }
    /// Removes all animations immediately, including those without a name.
    public final func removeAllAnimations() {
        guard !attached.isEmpty else { return }
        changeAnimations { all in
            for old in all { old.completion?.leave(old.token) }
            all.removeAll()
        }
    }
    /// Returns the animation that was added with this name, or nil. Do not change it.
    public final func animation(forKey key: String) -> CAAnimation? { attached.first { $0.key == key }?.animation }
    /// Returns the names of the animations in the order in which they were added, or nil if there are none.
    public final func animationKeys() -> [String]? {
        let keys = attached.compactMap(\.key)
        return keys.isEmpty ? nil : keys
    }
}
