import Foundation

/// A gesture that recognizes one or more clicks or touches in a row.
public struct TapGesture: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The gesture reports no value.
    public typealias Value = Void
    let count: Int
    /// Creates a tap gesture.
    /// - Parameter count: The number of taps in a row, at least 1.
    nonisolated public init(count: Int = 1) { self.count = max(1, count) }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Void>) -> [_Recognizer] {
        let recognizer = _Recognizer(.tap(count: count, space: .local))
        recognizer.onPoint = { _ in events.ended(()) }
        recognizer.onCancel = events.cancelled
        return [recognizer]
    }
}

/// A tap gesture that reports its position.
public struct SpatialTapGesture: Gesture {
    /// The value of a spatial tap gesture.
    public struct Value: Equatable, Sendable {
        /// The position in the gesture's coordinate space, in points.
        public var location: CGPoint
    }
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    let count: Int
    nonisolated(unsafe) let space: CoordinateSpace  // Safe: the value is immutable, and its name is only compared.
    /// Creates a tap gesture that reports its position.
    /// - Parameters:
    ///   - count: The number of taps in a row, at least 1.
    ///   - coordinateSpace: The space of the reported position.
    nonisolated public init(count: Int = 1, coordinateSpace: some CoordinateSpaceProtocol = .local) {
        self.init(count: count, coordinateSpace: coordinateSpace.coordinateSpace)
    }
    /// Creates a tap gesture that reports its position. This is an older form, with a `CoordinateSpace`.
    @_disfavoredOverload nonisolated public init(count: Int = 1, coordinateSpace: CoordinateSpace) {
        self.count = max(1, count)
        space = coordinateSpace
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let recognizer = _Recognizer(.tap(count: count, space: space))
        recognizer.onPoint = { events.ended(Value(location: $0)) }
        recognizer.onCancel = events.cancelled
        return [recognizer]
    }
}

/// A gesture that recognizes a press of a minimum duration.
public struct LongPressGesture: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The value is true from the beginning of the press.
    public typealias Value = Bool
    let seconds: Double
    let distance: CGFloat
    /// Creates a long-press gesture.
    /// - Parameters:
    ///   - minimumDuration: The duration in seconds. GTK limits it to 0.25…1 s.
    ///   - maximumDistance: Has no effect. GTK's own drag threshold limits the movement.
    nonisolated public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        seconds = max(0, minimumDuration)
        distance = maximumDistance
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Bool>) -> [_Recognizer] {
        let recognizer = _Recognizer(.longPress(seconds: seconds, distance: distance))
        recognizer.onPoint = { _ in events.ended(true) }
        recognizer.onPressing = { if $0 { events.changed(true) } }
        recognizer.onCancel = events.cancelled
        return [recognizer]
    }
}

/// A gesture that recognizes a movement with a held button or finger.
public struct DragGesture: Gesture {
    /// The value of a drag gesture.
    public struct Value: Equatable, Sendable {
        /// The system time at which this value was reported.
        public var time: Date
        /// The current position in the gesture's coordinate space, in points.
        public var location: CGPoint
        /// The position at which the drag began, in the same space, in points.
        public var startLocation: CGPoint
        /// The velocity in points per second.
        public var velocity: CGSize
        /// The distance from the start position, in points.
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        /// The predicted final position: the position in 0.25 s at the current velocity, in points.
        public var predictedEndLocation: CGPoint {
            CGPoint(x: location.x + velocity.width / 4, y: location.y + velocity.height / 4)
        }
        /// The distance from the start position to the predicted final position, in points.
        public var predictedEndTranslation: CGSize {
            CGSize(width: predictedEndLocation.x - startLocation.x, height: predictedEndLocation.y - startLocation.y)
        }
    }
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    let distance: CGFloat
    nonisolated(unsafe) let space: CoordinateSpace  // Safe: the value is immutable, and its name is only compared.
    /// Creates a drag gesture.
    /// - Parameters:
    ///   - minimumDistance: The distance in points after which the drag begins, at least 0.
    ///   - coordinateSpace: The space of the reported positions.
    nonisolated public init(
        minimumDistance: CGFloat = 10, coordinateSpace: some CoordinateSpaceProtocol = .local
    ) {
        self.init(minimumDistance: minimumDistance, coordinateSpace: coordinateSpace.coordinateSpace)
    }
    /// Creates a drag gesture. This is an older form, with a `CoordinateSpace`.
    @_disfavoredOverload nonisolated public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace) {
        distance = max(0, minimumDistance)
        space = coordinateSpace
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let recognizer = _Recognizer(.drag(distance: distance, space: space))
        recognizer.onDrag = { value, isOver in isOver ? events.ended(value) : events.changed(value) }
        recognizer.onCancel = events.cancelled
        return [recognizer]
    }
}

/// A gesture that recognizes two fingers moving apart or together on a touchscreen or touchpad.
///
/// The value is the scale factor, which is 1 at the start.
public struct MagnificationGesture: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The scale factor since the start; 1 means no change.
    public typealias Value = CGFloat
    let least: CGFloat
    /// Creates a magnification gesture.
    /// - Parameter minimumScaleDelta: The difference from 1 after which the gesture begins, at least 0.
    nonisolated public init(minimumScaleDelta: CGFloat = 0.01) {
        least = minimumScaleDelta.isFinite ? max(0, minimumScaleDelta) : 0.01
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<CGFloat>) -> [_Recognizer] {
        let recognizer = _Recognizer(.magnify(least: least))
        recognizer.onMagnify = { value, isOver in
            isOver ? events.ended(value.magnification) : events.changed(value.magnification)
        }
        recognizer.onCancel = events.cancelled
        return [recognizer]
    }
}

/// A gesture that recognizes two fingers moving apart or together, and reports more than `MagnificationGesture`.
public struct MagnifyGesture: Gesture {
    /// The value of a magnify gesture.
    public struct Value: Equatable, Sendable {
        /// The system time at which this value was reported.
        public var time: Date
        /// The scale factor since the start; 1 means no change.
        public var magnification: CGFloat
        /// The change of the scale factor per second.
        public var velocity: CGFloat
        /// The center between the fingers at the start, relative to the view's size.
        public var startAnchor: UnitPoint
        /// The center between the fingers at the start, in the view's coordinate space, in points.
        public var startLocation: CGPoint
    }
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    let least: CGFloat
    /// Creates a magnify gesture.
    /// - Parameter minimumScaleDelta: The difference from 1 after which the gesture begins, at least 0.
    nonisolated public init(minimumScaleDelta: CGFloat = 0.01) {
        least = minimumScaleDelta.isFinite ? max(0, minimumScaleDelta) : 0.01
    }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let recognizer = _Recognizer(.magnify(least: least))
        recognizer.onMagnify = { value, isOver in isOver ? events.ended(value) : events.changed(value) }
        recognizer.onCancel = events.cancelled
        return [recognizer]
    }
}

/// A gesture that recognizes the rotation of two fingers on a touchscreen or touchpad.
///
/// The value is the clockwise angle since the start. It can be greater than a full rotation.
public struct RotationGesture: Gesture {
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    /// The clockwise angle since the start.
    public typealias Value = Angle
    let least: Angle
    /// Creates a rotation gesture.
    /// - Parameter minimumAngleDelta: The angle in either direction after which the gesture begins.
    nonisolated public init(minimumAngleDelta: Angle = .degrees(1)) { least = minimumAngleDelta }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Angle>) -> [_Recognizer] {
        let recognizer = _Recognizer(.rotate(least: least.least))
        recognizer.onRotate = { value, isOver in isOver ? events.ended(value.rotation) : events.changed(value.rotation)
        }
        recognizer.onCancel = events.cancelled
        return [recognizer]
    }
}

/// A gesture that recognizes the rotation of two fingers, and reports more than `RotationGesture`.
public struct RotateGesture: Gesture {
    /// The value of a rotate gesture.
    public struct Value: Equatable, Sendable {
        /// The system time at which this value was reported.
        public var time: Date
        /// The clockwise angle since the start.
        public var rotation: Angle
        /// The change of the angle per second.
        public var velocity: Angle
        /// The center between the fingers at the start, relative to the view's size.
        public var startAnchor: UnitPoint
        /// The center between the fingers at the start, in the view's coordinate space, in points.
        public var startLocation: CGPoint
    }
    /// A primitive gesture has no `body`.
    public typealias Body = Never
    let least: Angle
    /// Creates a rotate gesture.
    /// - Parameter minimumAngleDelta: The angle in either direction after which the gesture begins.
    nonisolated public init(minimumAngleDelta: Angle = .degrees(1)) { least = minimumAngleDelta }
    public func _recognizers(_ memory: _GestureMemory, _ events: _GestureEvents<Value>) -> [_Recognizer] {
        let recognizer = _Recognizer(.rotate(least: least.least))
        recognizer.onRotate = { value, isOver in isOver ? events.ended(value) : events.changed(value) }
        recognizer.onCancel = events.cancelled
        return [recognizer]
    }
}

extension Angle {
    fileprivate var least: Double { radians.isFinite ? abs(radians) : 0 }
}
