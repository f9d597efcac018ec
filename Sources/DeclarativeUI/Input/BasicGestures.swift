import Foundation

/// A click or a touch, or several in a row.
public struct TapGesture: Gesture {
    /// The gesture is not made of others.
    public typealias Body = Never
    /// Nothing is told but that it happened.
    public typealias Value = Void
    let count: Int
    /// - Parameter count: at least 1.
    nonisolated public init(count: Int = 1) { self.count = max(1, count) }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Void>) -> [_Recognizer] {
        let one = _Recognizer(.tap(count: count, space: .local))
        one.onPoint = { _ in events.ended(()) }
        one.onCancel = events.cancelled
        return [one]
    }
}

/// A tap that tells where.
public struct SpatialTapGesture: Gesture {
    /// Where the view was tapped.
    public struct Value: Equatable, Sendable {
        /// In the space the gesture asked for, points.
        public var location: CGPoint
    }
    /// The gesture is not made of others.
    public typealias Body = Never
    let count: Int
    nonisolated(unsafe) let space: CoordinateSpace  // immutable; what names a space is only compared
    /// - Parameter count: at least 1.
    nonisolated public init(count: Int = 1, coordinateSpace: CoordinateSpace = .local) {
        self.count = max(1, count)
        space = coordinateSpace
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let one = _Recognizer(.tap(count: count, space: space))
        one.onPoint = { events.ended(Value(location: $0)) }
        one.onCancel = events.cancelled
        return [one]
    }
}

/// Held down for a while. Its value is true from the press on.
public struct LongPressGesture: Gesture {
    /// The gesture is not made of others.
    public typealias Body = Never
    /// True from the press on.
    public typealias Value = Bool
    let seconds: Double
    let distance: CGFloat
    /// - Parameters:
    ///   - minimumDuration: seconds; GTK takes 0.25…1.
    ///   - maximumDistance: points that it may move meanwhile; GTK's own threshold for a drag holds.
    nonisolated public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        seconds = max(0, minimumDuration)
        distance = maximumDistance
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Bool>) -> [_Recognizer] {
        let one = _Recognizer(.longPress(seconds: seconds, distance: distance))
        one.onPoint = { _ in events.ended(true) }
        one.onPressing = { if $0 { events.changed(true) } }
        one.onCancel = events.cancelled
        return [one]
    }
}

/// Moved while held down.
public struct DragGesture: Gesture {
    /// How far a drag is.
    public struct Value: Equatable, Sendable {
        /// When this was told, by the computer's clock.
        public var time: Date
        /// In the space the gesture asked for, points.
        public var location: CGPoint
        /// Where the drag began, in the same space, points.
        public var startLocation: CGPoint
        /// Points a second.
        public var velocity: CGSize
        /// How far it has gone since it began, points.
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        /// Where it would come to rest, a quarter of a second on.
        public var predictedEndLocation: CGPoint {
            CGPoint(x: location.x + velocity.width / 4, y: location.y + velocity.height / 4)
        }
        /// How far it will have gone when it comes to rest, points: a quarter of a second on.
        public var predictedEndTranslation: CGSize {
            CGSize(width: predictedEndLocation.x - startLocation.x, height: predictedEndLocation.y - startLocation.y)
        }
    }
    /// The gesture is not made of others.
    public typealias Body = Never
    let distance: CGFloat
    nonisolated(unsafe) let space: CoordinateSpace  // immutable; what names a space is only compared
    /// - Parameter minimumDistance: points before it begins.
    nonisolated public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {
        distance = max(0, minimumDistance)
        space = coordinateSpace
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let one = _Recognizer(.drag(distance: distance, space: space))
        one.onDrag = { value, isOver in isOver ? events.ended(value) : events.changed(value) }
        one.onCancel = events.cancelled
        return [one]
    }
}

/// Two fingers apart or together, on a touchscreen or a touchpad; the value is the factor, 1 at the start.
public struct MagnificationGesture: Gesture {
    /// The gesture is not made of others.
    public typealias Body = Never
    /// The factor since the start, 1 for none.
    public typealias Value = CGFloat
    let least: CGFloat
    /// - Parameter minimumScaleDelta: how far from 1 before it begins.
    nonisolated public init(minimumScaleDelta: CGFloat = 0.01) {
        least = minimumScaleDelta.isFinite ? max(0, minimumScaleDelta) : 0.01
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<CGFloat>) -> [_Recognizer] {
        let one = _Recognizer(.magnify(least: least))
        one.onMagnify = { value, isOver in
            isOver ? events.ended(value.magnification) : events.changed(value.magnification)
        }
        one.onCancel = events.cancelled
        return [one]
    }
}

/// The later name of `MagnificationGesture`, which tells more.
public struct MagnifyGesture: Gesture {
    /// How far apart the fingers are.
    public struct Value: Equatable, Sendable {
        /// When this was told, by the computer's clock.
        public var time: Date
        /// The factor, 1 at the start.
        public var magnification: CGFloat
        /// A second.
        public var velocity: CGFloat
        /// The middle of the fingers at the start, in the view's own sizes.
        public var startAnchor: UnitPoint
        /// The same, points.
        public var startLocation: CGPoint
    }
    /// The gesture is not made of others.
    public typealias Body = Never
    let least: CGFloat
    /// - Parameter minimumScaleDelta: how far from 1 before it begins.
    nonisolated public init(minimumScaleDelta: CGFloat = 0.01) {
        least = minimumScaleDelta.isFinite ? max(0, minimumScaleDelta) : 0.01
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let one = _Recognizer(.magnify(least: least))
        one.onMagnify = { value, isOver in isOver ? events.ended(value) : events.changed(value) }
        one.onCancel = events.cancelled
        return [one]
    }
}

/// Two fingers turned, on a touchscreen or a touchpad; the value is the angle since the start, clockwise, and goes on
/// beyond a whole turn.
public struct RotationGesture: Gesture {
    /// The gesture is not made of others.
    public typealias Body = Never
    /// The angle since the start, clockwise.
    public typealias Value = Angle
    let least: Angle
    /// - Parameter minimumAngleDelta: how far before it begins.
    nonisolated public init(minimumAngleDelta: Angle = .degrees(1)) { least = minimumAngleDelta }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Angle>) -> [_Recognizer] {
        let one = _Recognizer(.rotate(least: least.least))
        one.onRotate = { value, isOver in isOver ? events.ended(value.rotation) : events.changed(value.rotation) }
        one.onCancel = events.cancelled
        return [one]
    }
}

/// The later name of `RotationGesture`, which tells more.
public struct RotateGesture: Gesture {
    /// How far the fingers have turned.
    public struct Value: Equatable, Sendable {
        /// When this was told, by the computer's clock.
        public var time: Date
        /// Since the start, clockwise.
        public var rotation: Angle
        /// A second.
        public var velocity: Angle
        /// The middle of the fingers at the start, in the view's own sizes.
        public var startAnchor: UnitPoint
        /// The same, points.
        public var startLocation: CGPoint
    }
    /// The gesture is not made of others.
    public typealias Body = Never
    let least: Angle
    /// - Parameter minimumAngleDelta: how far before it begins.
    nonisolated public init(minimumAngleDelta: Angle = .degrees(1)) { least = minimumAngleDelta }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let one = _Recognizer(.rotate(least: least.least))
        one.onRotate = { value, isOver in isOver ? events.ended(value) : events.changed(value) }
        one.onCancel = events.cancelled
        return [one]
    }
}

extension Angle {
    fileprivate var least: Double { radians.isFinite ? abs(radians) : 0 }
}
