import Foundation

/// Recognizes taps. UIKit's type; main actor.
@MainActor @preconcurrency
open class UITapGestureRecognizer: UIGestureRecognizer {
    /// Taps in a row, at least 1.
    open var numberOfTapsRequired = 1 {
        didSet {
            numberOfTapsRequired = max(1, numberOfTapsRequired)
            changed()
        }
    }
    /// Kept, of no effect: a tap has one finger.
    open var numberOfTouchesRequired = 1
    override var taps: Int { numberOfTapsRequired }
    override func primitive() -> _Recognizer? {
        let one = _Recognizer(.tap(count: numberOfTapsRequired, space: .local))
        one.onPoint = { [weak self] in
            self?.take($0)
            self?.recognize()
        }
        return one
    }
}

/// Recognizes that a finger or a button is held down. Began after `minimumPressDuration`. UIKit's type; main actor.
@MainActor @preconcurrency
open class UILongPressGestureRecognizer: UIGestureRecognizer {
    /// Seconds; GTK takes 0.25…1.
    open var minimumPressDuration: TimeInterval = 0.5 {
        didSet {
            if !(minimumPressDuration >= 0) { minimumPressDuration = 0 }
            changed()
        }
    }
    /// How far it may move meanwhile, points; GTK's own threshold for a drag holds.
    open var allowableMovement: CGFloat = 10 { didSet { changed() } }
    override func primitive() -> _Recognizer? {
        let one = _Recognizer(.longPress(seconds: minimumPressDuration, distance: allowableMovement))
        var isHeld = false
        one.onPoint = { [weak self] in
            isHeld = true
            self?.take($0)
            self?.follow(isOver: false)
        }
        one.onPressing = { [weak self] in
            if !$0, isHeld { self?.follow(isOver: true) }
            isHeld = false
        }
        one.onCancel = { [weak self] in self?.cancel() }
        return one
    }
}

/// Recognizes that something is dragged. UIKit's type; main actor.
@MainActor @preconcurrency
open class UIPanGestureRecognizer: UIGestureRecognizer {
    /// Kept, of no effect: a drag has one finger.
    open var minimumNumberOfTouches = 1, maximumNumberOfTouches = Int.max
    // In the outermost view's space.
    private var start = CGPoint.zero, end = CGPoint.zero
    private var speed = CGSize.zero

    /// How far it has gone since it began, or since `setTranslation(_:in:)`, points.
    /// - Parameter view: whose space is meant; nil: the outermost view's.
    open func translation(in view: UIView?) -> CGPoint {
        let (from, to) = (Self.point(start, in: view), Self.point(end, in: view))
        return CGPoint(x: to.x - from.x, y: to.y - from.y)
    }
    /// Counts on from this translation.
    open func setTranslation(_ translation: CGPoint, in view: UIView?) {
        let to = Self.point(end, in: view)
        let from = CGPoint(x: to.x - translation.x, y: to.y - translation.y)
        start = view?.layer.convert(from, to: nil) ?? from
    }
    /// Points a second, in the space of the recognizer's view.
    open func velocity(in view: UIView?) -> CGPoint { CGPoint(x: speed.width, y: speed.height) }

    override func primitive() -> _Recognizer? {
        let one = _Recognizer(.drag(distance: 10, space: .local))
        one.onDrag = { [weak self] value, isOver in self?.take(value, isOver: isOver) }
        one.onCancel = { [weak self] in self?.cancel() }
        return one
    }
    final func take(_ value: DragGesture.Value, isOver: Bool) {
        if state == .possible { start = outermostPoint(value.startLocation) }
        take(value.location)
        end = outermostPoint(value.location)
        speed = value.velocity
        follow(isOver: isOver)
    }
}

/// Recognizes a quick drag in one direction. UIKit's type; main actor.
@MainActor @preconcurrency
open class UISwipeGestureRecognizer: UIGestureRecognizer {
    /// Where to.
    public struct Direction: OptionSet, Sendable {
        /// One bit a direction; UIKit's.
        public let rawValue: UInt
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// To the sides.
        public static let right = Direction(rawValue: 1), left = Direction(rawValue: 2)
        /// Upwards and downwards.
        public static let up = Direction(rawValue: 4), down = Direction(rawValue: 8)
    }
    /// The directions that count; to the right if not set.
    open var direction = Direction.right
    /// Kept, of no effect: a swipe has one finger.
    open var numberOfTouchesRequired = 1

    /// As far as a swipe goes at least, points.
    static let leastDistance: CGFloat = 50
    override func primitive() -> _Recognizer? {
        let one = _Recognizer(.drag(distance: 10, space: .local))
        one.onDrag = { [weak self] value, isOver in
            guard let self, isOver, direction.contains(Self.direction(value.translation)) else { return }
            take(value.startLocation)
            recognize()
        }
        return one
    }
    /// Nothing for what is too short, or lies between two directions.
    static func direction(_ way: CGSize) -> Direction {
        let (across, along) = (abs(way.width), abs(way.height))
        guard max(across, along) >= leastDistance, max(across, along) >= 2 * min(across, along) else {
            // No set contains it.
            return Direction(rawValue: 1 << 8)
        }
        return across > along ? (way.width > 0 ? .right : .left) : (way.height > 0 ? .down : .up)
    }
}

/// Recognizes two fingers that move apart or together. UIKit's type; main actor.
@MainActor @preconcurrency
open class UIPinchGestureRecognizer: UIGestureRecognizer {
    private var base: CGFloat = 1, factor: CGFloat = 1
    /// The factor since the gesture began; to be set to count on from there.
    open var scale: CGFloat {
        get { factor / base }
        set { if newValue.isFinite, newValue > 0 { base = factor / newValue } }
    }
    /// The change of `scale` a second.
    public private(set) final var velocity: CGFloat = 0
    open override var numberOfTouches: Int { state == .possible ? 0 : 2 }
    override func primitive() -> _Recognizer? {
        let one = _Recognizer(.magnify(least: 0.01))
        one.onMagnify = { [weak self] value, isOver in
            guard let self else { return }
            if state == .possible { base = 1 }
            (factor, velocity) = (value.magnification, value.velocity)
            take(value.startLocation)
            follow(isOver: isOver)
        }
        one.onCancel = { [weak self] in self?.cancel() }
        return one
    }
}

/// Recognizes two fingers that turn. UIKit's type; main actor.
@MainActor @preconcurrency
open class UIRotationGestureRecognizer: UIGestureRecognizer {
    private var base: CGFloat = 0, angle: CGFloat = 0
    /// Radians since the gesture began; to be set to count on from there.
    open var rotation: CGFloat {
        get { angle - base }
        set { if newValue.isFinite { base = angle - newValue } }
    }
    /// Radians a second.
    public private(set) final var velocity: CGFloat = 0
    open override var numberOfTouches: Int { state == .possible ? 0 : 2 }
    override func primitive() -> _Recognizer? {
        let one = _Recognizer(.rotate(least: 0.02))
        one.onRotate = { [weak self] value, isOver in
            guard let self else { return }
            if state == .possible { base = 0 }
            (angle, velocity) = (CGFloat(value.rotation.radians), CGFloat(value.velocity.radians))
            take(value.startLocation)
            follow(isOver: isOver)
        }
        one.onCancel = { [weak self] in self?.cancel() }
        return one
    }
}
