import Testing
import Zoetrope

@testable import DeclarativeUI
@testable import VideoPlayerContainer

@Suite("Gestures as events") @MainActor
struct GestureServiceTests {
    private let context = Context()
    private let log = Log()
    private var gesture: GestureService { context.gesture }

    init() { context.viewSize.change(to: CGSize(width: 200, height: 100)) }

    private func observe(_ gesture: GestureService.Gesture) -> AnyCancellable {
        let log = log
        return self.gesture.observe(gesture) { log.add("\($0.gesture) \($0.action)") }
    }
    private func drag(_ from: CGPoint, _ to: CGPoint) -> DragGesture.Value {
        DragGesture.Value(time: Date(), location: to, startLocation: from, velocity: .zero)
    }

    @Test("the location all equals each half, and left and right differ")
    func locations() {
        typealias Location = GestureService.Gesture.Location
        let all: [Location] = [.all, .left, .right]
        for (i, a) in all.enumerated() {
            for (j, b) in all.enumerated() { #expect((a == b) == (i == j || i == 0 || j == 0), "\(a) \(b)") }
        }
        typealias Gesture = GestureService.Gesture
        #expect(
            Gesture.tap(.all) == .tap(.left) && Gesture.tap(.left) != .tap(.right)
                && Gesture.tap(.all) != .doubleTap(.all))
        #expect(
            Gesture.drag(.vertical(.all)) == .drag(.vertical(.right))
                && Gesture.drag(.horizontal) != .drag(.vertical(.all)) && Gesture.longPress != .hover)
    }

    @Test("a tap is one event with its half and its position")
    func taps() {
        var places: [CGPoint] = []
        let observations = [
            observe(.tap(.all)), observe(.tap(.left)), observe(.doubleTap(.right)),
            gesture.observe(.tap(.right)) { event in
                if case .tap(let place) = event.value { places.append(place) }
            },
        ]
        gesture.tap(at: CGPoint(x: 99, y: 50))
        #expect(log.take() == ["tap(\(name(.left))) end", "tap(\(name(.left))) end"] && places == [])
        gesture.tap(at: CGPoint(x: 101, y: 50))
        #expect(log.take() == ["tap(\(name(.right))) end"] && places == [CGPoint(x: 101, y: 50)])
        gesture.doubleTap(at: CGPoint(x: 150, y: 0))
        gesture.doubleTap(at: CGPoint(x: 50, y: 0))
        #expect(log.take() == ["doubleTap(\(name(.right))) end"])
        withExtendedLifetime(observations) {}
    }
    private func name(_ location: GestureService.Gesture.Location) -> String { "\(String(reflecting: location))" }

    @Test("the first change decides a drag's direction until its end")
    func dragDirection() {
        let observations = [observe(.drag(.horizontal)), observe(.drag(.vertical(.all)))]
        let start = CGPoint(x: 30, y: 50)
        gesture.dragChanged(drag(start, CGPoint(x: 42, y: 51)))
        gesture.dragChanged(drag(start, CGPoint(x: 42, y: 90)))
        gesture.dragEnded(drag(start, CGPoint(x: 30, y: 95)))
        #expect(
            log.take() == [
                "drag(\(name(.horizontal))) start", "drag(\(name(.horizontal))) start",
                "drag(\(name(.horizontal))) end",
            ])
        // A new drag from the same point in the other direction.
        gesture.dragChanged(drag(start, CGPoint(x: 31, y: 70)))
        gesture.dragChanged(drag(start, CGPoint(x: 190, y: 70)))
        gesture.dragEnded(drag(start, CGPoint(x: 190, y: 70)))
        let left = name(.vertical(.left))
        #expect(log.take() == ["drag(\(left)) start", "drag(\(left)) start", "drag(\(left)) end"])
        // A drag that moves as far sideways as down counts as vertical. Its half (left or right) is the one where it
        // began.
        gesture.dragChanged(drag(CGPoint(x: 110, y: 0), CGPoint(x: 90, y: 20)))
        gesture.dragEnded(drag(CGPoint(x: 110, y: 0), CGPoint(x: 10, y: 20)))
        let right = name(.vertical(.right))
        #expect(log.take() == ["drag(\(right)) start", "drag(\(right)) end"])
        withExtendedLifetime(observations) {}
    }
    private func name(_ direction: GestureService.Gesture.Direction) -> String { "\(String(reflecting: direction))" }

    @Test("an interrupted drag ends with its last value, and only once")
    func dragTaken() {
        var values: [CGPoint] = []
        let observation = gesture.observe(.drag(.horizontal)) { event in
            if case .drag(let value) = event.value, case .end = event.action { values.append(value.location) }
        }
        gesture.dragStopped()
        gesture.dragChanged(drag(.zero, CGPoint(x: 20, y: 0)))
        gesture.dragChanged(drag(.zero, CGPoint(x: 30, y: 0)))
        gesture.dragStopped()
        #expect(values == [CGPoint(x: 30, y: 0)])
        gesture.dragStopped()
        gesture.dragChanged(drag(.zero, CGPoint(x: 20, y: 0)))
        gesture.dragEnded(drag(.zero, CGPoint(x: 40, y: 0)))
        gesture.dragStopped()
        #expect(values == [CGPoint(x: 30, y: 0), CGPoint(x: 40, y: 0)])
        withExtendedLifetime(observation) {}
    }

    @Test("hover, long press, pinch and rotation report start and end")
    func others() {
        var values: [Double] = []
        let observations =
            [observe(.hover), observe(.longPress), observe(.pinch), observe(.rotate)] + [
                gesture.observe(.pinch) { if case .pinch(let value) = $0.value { values.append(value) } },
                gesture.observe(.rotate) { if case .rotate(let value) = $0.value { values.append(value.degrees) } },
            ]
        gesture.hover(true)
        gesture.hover(false)
        gesture.longPress()
        gesture.pinch(.start, 1.5)
        gesture.pinch(.end, 2)
        gesture.rotate(.start, .degrees(30))
        gesture.rotate(.end, .degrees(45))
        #expect(
            log.take() == [
                "hover start", "hover end", "longPress end", "pinch start", "pinch end", "rotate start", "rotate end",
            ])
        #expect(values.map { $0.rounded() } == [2, 2, 30, 45])
        withExtendedLifetime(observations) {}
    }

    @Test("observers run in order of registration until cancelled, even during a call")
    func observers() {
        var second: AnyCancellable?
        var late: AnyCancellable?
        let log = log
        let gesture = gesture
        let first = gesture.observe(.longPress) { _ in
            log.add("first")
            second = nil
            late = gesture.observe(.longPress) { _ in log.add("late") }
        }
        second = gesture.observe(.longPress) { _ in log.add("second") }
        gesture.longPress()
        #expect(log.take() == ["first"])
        gesture.longPress()
        #expect(log.take().first == "first")
        first.cancel()
        late = nil
        gesture.longPress()
        #expect(log.take() == [])
        withExtendedLifetime((second, late)) {}
    }

    @Test("an observer that is released on another thread is not called again")
    func otherThread() async {
        let log = log
        let gesture = gesture
        nonisolated(unsafe) var observation: AnyCancellable? = gesture.observe(.longPress) { _ in log.add("told") }
        #expect(observation != nil)
        await Task.detached { observation = nil }.value
        // The work that the deinitialization scheduled on the main actor runs before this task.
        await Task { @MainActor in }.value
        gesture.longPress()
        #expect(log.take() == [])
    }

    @Test("gestures are enabled until configured otherwise")
    func enabled() {
        #expect(gesture.enabled)
        gesture.configure(false)
        #expect(!gesture.enabled)
    }

    @Test("invalid positions and a container without a size do no harm")
    func strangeNumbers() {
        let observation = observe(.tap(.all))
        gesture.tap(at: CGPoint(x: CGFloat.nan, y: .infinity))
        context.viewSize.change(to: .zero)
        gesture.tap(at: .zero)
        gesture.dragChanged(drag(CGPoint(x: CGFloat.nan, y: 0), CGPoint(x: CGFloat.infinity, y: 0)))
        gesture.dragStopped()
        #expect(log.take().count == 2)
        withExtendedLifetime(observation) {}
    }

    @Test("setting an app's own gesture notifies observers, and nil removes it")
    func simultaneous() {
        let log = log
        let observation = gesture.objectWillChange.sink { log.add("change") }
        gesture.simultaneousDragGesture = DragGesture().onChanged { _ in }.onEnded { _ in }
        gesture.simultaneousTapGesture = SpatialTapGesture().onEnded { _ in }
        gesture.simultaneousTapGesture = nil
        #expect(
            log.take().count == 3 && gesture.simultaneousDragGesture != nil && gesture.simultaneousTapGesture == nil)
        withExtendedLifetime(observation) {}
    }
}
