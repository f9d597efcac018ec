import Foundation

/// A recognizer of taps. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UITapGestureRecognizer: UIGestureRecognizer {
    /// The number of taps in a row, at least 1.
    open var numberOfTapsRequired = 1 {
        didSet {
            numberOfTapsRequired = max(1, numberOfTapsRequired)
            changed()
        }
    }
    /// Stored without effect: a tap is always made with one finger.
    open var numberOfTouchesRequired = 1
    override var taps: Int { numberOfTapsRequired }
    override func makeRecognizer() -> _Recognizer? {
        let recognizer = _Recognizer(.tap(count: numberOfTapsRequired, space: .local))
        recognizer.onPoint = { [weak self] in
            self?.take($0)
            self?.recognize()
        }
        return recognizer
    }
}

/// A recognizer of long presses. Modeled on UIKit's type.
///
/// The gesture begins after `minimumPressDuration` and ends when the finger or button is released.
@MainActor @preconcurrency
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// The duration in seconds. GTK limits it to 0.25…1 s.
    open var minimumPressDuration: TimeInterval = 0.5 {
        didSet {
            if !(minimumPressDuration >= 0) { minimumPressDuration = 0 }
            changed()
        }
    }
    /// Stored without effect: GTK's own drag threshold limits the movement.
    open var allowableMovement: CGFloat = 10 { didSet { changed() } }
    override func makeRecognizer() -> _Recognizer? {
        let recognizer = _Recognizer(.longPress(seconds: minimumPressDuration, distance: allowableMovement))
        var isHeld = false
        recognizer.onPoint = { [weak self] in
            isHeld = true
            self?.take($0)
            self?.follow(isOver: false)
        }
        recognizer.onPressing = { [weak self] in
            if !$0, isHeld { self?.follow(isOver: true) }
            isHeld = false
        }
        recognizer.onCancel = { [weak self] in self?.cancel() }
        return recognizer
    }
}

/// A recognizer of drags. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIPanGestureRecognizer: UIGestureRecognizer {
    /// Stored without effect: a drag is always made with one finger.
    open var minimumNumberOfTouches = 1, maximumNumberOfTouches = Int.max
    // The points are in the outermost view's coordinates.
    private var start = CGPoint.zero, end = CGPoint.zero
    private var speed = CGSize.zero

    /// Returns the distance since the gesture began or since `setTranslation(_:in:)`, in points.
    /// - Parameter view: The view whose coordinates are used, or nil for the outermost view.
    open func translation(in view: UIView?) -> CGPoint {
        let (from, to) = (Self.point(start, in: view), Self.point(end, in: view))
        return CGPoint(x: to.x - from.x, y: to.y - from.y)
    }
    /// Sets the current translation, to which further movement is added.
    /// - Parameters:
    ///   - translation: The translation in points.
    ///   - view: The view whose coordinates are used, or nil for the outermost view.
    open func setTranslation(_ translation: CGPoint, in view: UIView?) {
        let to = Self.point(end, in: view)
        let from = CGPoint(x: to.x - translation.x, y: to.y - translation.y)
        start = view?.layer.convert(from, to: nil) ?? from
    }
    /// Returns the velocity in points per second, in the coordinates of the recognizer's view.
    /// - Parameter view: Has no effect.
    open func velocity(in view: UIView?) -> CGPoint { CGPoint(x: speed.width, y: speed.height) }

    override func makeRecognizer() -> _Recognizer? {
        let recognizer = _Recognizer(.drag(distance: 10, space: .local))
        recognizer.onDrag = { [weak self] value, isOver in self?.take(value, isOver: isOver) }
        recognizer.onCancel = { [weak self] in self?.cancel() }
        return recognizer
    }
    final func take(_ value: DragGesture.Value, isOver: Bool) {
        if state == .possible { start = outermostPoint(value.startLocation) }
        take(value.location)
        end = outermostPoint(value.location)
        speed = value.velocity
        follow(isOver: isOver)
    }
}

/// A recognizer of drags of at least 50 points in one direction. Modeled on UIKit's type.
///
/// The gesture is recognized when the finger is lifted.
@MainActor @preconcurrency
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    /// A set of directions.
    public struct Direction: OptionSet, Sendable {
        /// The bit mask, with UIKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The directions to the right and to the left.
        public static let right = Direction(rawValue: 1), left = Direction(rawValue: 2)
        /// The directions up and down.
        public static let up = Direction(rawValue: 4), down = Direction(rawValue: 8)
    }
    /// The directions that are recognized. The default is right.
    open var direction = Direction.right
    /// Stored without effect: a swipe is always made with one finger.
    open var numberOfTouchesRequired = 1

    /// The minimum distance of a swipe, in points.
    static let leastDistance: CGFloat = 50
    override func makeRecognizer() -> _Recognizer? {
        let recognizer = _Recognizer(.drag(distance: 10, space: .local))
        recognizer.onDrag = { [weak self] value, isOver in
            guard let self, isOver, direction.contains(Self.direction(value.translation)) else { return }
            take(value.startLocation)
            recognize()
        }
        return recognizer
    }
    /// Returns the direction of a movement. If it is too short or diagonal, no set of directions contains the result.
    static func direction(_ translation: CGSize) -> Direction {
        let (horizontal, vertical) = (abs(translation.width), abs(translation.height))
        guard max(horizontal, vertical) >= leastDistance, max(horizontal, vertical) >= 2 * min(horizontal, vertical)
        else {
            // This bit belongs to no direction.
            return Direction(rawValue: 1 << 8)
        }
        return horizontal > vertical ? (translation.width > 0 ? .right : .left) : (translation.height > 0 ? .down : .up)
    }
}

/// A recognizer of two fingers that move apart or together. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIPinchGestureRecognizer: UIGestureRecognizer {
    private var base: CGFloat = 1, factor: CGFloat = 1
    /// The scale factor since the gesture began. Setting it changes the value from which further movement continues.
    /// Setting a value that is not greater than 0 or not finite has no effect.
    open var scale: CGFloat {
        get { factor / base }
        set { if newValue.isFinite, newValue > 0 { base = factor / newValue } }
    }
    /// The change of `scale` per second.
    public private(set) final var velocity: CGFloat = 0
    open override var numberOfTouches: Int { state == .possible ? 0 : 2 }
    override func makeRecognizer() -> _Recognizer? {
        let recognizer = _Recognizer(.magnify(least: 0.01))
        recognizer.onMagnify = { [weak self] value, isOver in
            guard let self else { return }
            if state == .possible { base = 1 }
            (factor, velocity) = (value.magnification, value.velocity)
            take(value.startLocation)
            follow(isOver: isOver)
        }
        recognizer.onCancel = { [weak self] in self?.cancel() }
        return recognizer
    }
}

/// A recognizer of two fingers that rotate. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIRotationGestureRecognizer: UIGestureRecognizer {
    private var base: CGFloat = 0, angle: CGFloat = 0
    /// The angle in radians since the gesture began. Setting it changes the value from which further rotation
    /// continues. Setting a value that is not finite has no effect.
    open var rotation: CGFloat {
        get { angle - base }
        set { if newValue.isFinite { base = angle - newValue } }
    }
    /// The velocity in radians per second.
    public private(set) final var velocity: CGFloat = 0
    open override var numberOfTouches: Int { state == .possible ? 0 : 2 }
    override func makeRecognizer() -> _Recognizer? {
        let recognizer = _Recognizer(.rotate(least: 0.02))
        recognizer.onRotate = { [weak self] value, isOver in
            guard let self else { return }
            if state == .possible { base = 0 }
            (angle, velocity) = (CGFloat(value.rotation.radians), CGFloat(value.velocity.radians))
            take(value.startLocation)
            follow(isOver: isOver)
        }
        recognizer.onCancel = { [weak self] in self?.cancel() }
        return recognizer
    }
}
