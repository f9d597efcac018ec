import Zoetrope

// Gestures as the example apps use them: their types are named, stored and assigned.

@MainActor
final class GestureModel: ObservableObject {
    typealias Drag = _EndedGesture<_ChangedGesture<DragGesture>>

    var drag: Drag
    var tap: _EndedGesture<TapGesture> = TapGesture(count: 2).onEnded { _ in }
    var place: _EndedGesture<SpatialTapGesture>?
    var turn: _ChangedGesture<RotationGesture>?
    var both: SimultaneousGesture<MagnificationGesture, RotationGesture> {
        MagnificationGesture().simultaneously(with: RotationGesture())
    }
    @Published var offset = CGSize.zero
    @Published var angle = Angle.zero

    init() {
        // A gesture with an inferred type, then another one of the same type.
        drag = DragGesture().onChanged { _ in }.onEnded { _ in }
        drag = DragGesture(minimumDistance: 0, coordinateSpace: .global)
            .onChanged { [weak self] value in self?.offset = value.translation }
            .onEnded { [weak self] value in
                withAnimation(.easeInOut(duration: 0.25)) {
                    self?.offset = value.predictedEndTranslation.height > 100 ? value.translation : .zero
                }
            }
        place = SpatialTapGesture(count: 1, coordinateSpace: .local).onEnded { value in print(value.location.x) }
        turn = RotationGesture().onChanged { [weak self] (angle: Angle) in self?.angle = angle }
    }
}

struct GestureCode: View {
    @StateObject private var model = GestureModel()
    @GestureState private var isPressed = false
    @GestureState private var scale: CGFloat = 1

    var body: some View {
        Rectangle()
            .gesture(model.drag)
            .simultaneousGesture(model.tap)
            .simultaneousGesture(
                model.both.onEnded { value in
                    let (scale, angle): (CGFloat?, Angle?) = (value.first, value.second)
                    print(scale as Any, angle as Any)
                }
            )
            .highPriorityGesture(
                LongPressGesture(minimumDuration: 0.5).sequenced(before: DragGesture()).updating($isPressed) {
                    value, state, transaction in
                    switch value {
                    case .first(true): state = true
                    case .second(true, let drag): state = drag != nil
                    default: state = false
                    }
                }
            )
            .gesture(MagnificationGesture().updating($scale) { value, state, _ in state = value })
            .gesture(
                ExclusiveGesture(TapGesture(count: 2), TapGesture()).onEnded { value in
                    switch value {
                    case .first: print("two")
                    case .second: print("one")
                    }
                }
            )
            .onTapGesture(count: 2) { print("two") }
            .onTapGesture { location in print(location.x) }
            .onTapGesture { print("tap") }
            .onLongPressGesture(minimumDuration: 1) { print("long") }
            .onContinuousHover { phase in
                switch phase {
                case .active(let location): print(location.x)
                case .ended: print("out")
                }
            }
            .onContinuousHover(coordinateSpace: .local) { _ in }
            .onHover { inside in print(inside) }
            .gesture(named)
    }

    private var named: some ContractGesture { DragGesture().onChanged { print($0.velocity.width) } }
}

/// A custom gesture.
typealias ContractGesture = Gesture
struct SwipeGesture: Gesture {
    var body: some Gesture<DragGesture.Value> { DragGesture(minimumDistance: 20) }
}
/// A view that takes any gesture.
struct Recognising<G: Gesture>: View where G.Value: Equatable {
    let gesture: G
    var body: some View { Circle().contentShape(Rectangle()).gesture(gesture) }
}
