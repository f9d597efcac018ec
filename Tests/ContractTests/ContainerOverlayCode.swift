import VideoPlayerContainer
import Zoetrope

// The services of the five overlays as apps call them, with every form of call that the contract lists.

struct A: View { var body: some View { Text("A") } }
private struct B: View { var body: some View { Text("B") } }

@MainActor
enum ContainerOverlayCode {
    static func control(_ context: Context) {
        let control = context.control
        // Content and layouts.
        control.configure(.halfScreen(.center)) { [A(), Spacer(), Text("x").padding()] }
        control.configure(.halfScreen(.center)) { views in HStack(spacing: 30) { ForEach(views) { $0 } } }
        control.configure(.halfScreen(.top1)) {
            [
                A(),
                Spacer().frame(width: 5),
                B(),
            ]
        }
        control.configure(.fullScreen(.left)) { [A()] }
        control.configure(.portrait(.right)) { [any View]() }
        control.configure([.portrait(.top1), .fullScreen(.top1)]) { [A(), B()] }
        control.configure([.portrait(.bottom1), .fullScreen(.bottom2), .halfScreen(.bottom3), .fullScreen(.top2)]) {
            views in
            VStack(spacing: 0) {
                ForEach(views) { view in view.frame(maxWidth: .infinity) }
            }
        }
        control.configure([.fullScreen(.center)]) { (views: [IdentifableView]) in
            HStack { ForEach(views) { $0 } }.offset(y: 23)
        }
        control.configure(.portrait(.left), content: { [A()] })
        control.configure(.portrait(.left), layout: { views in AnyView(VStack { ForEach(views) { $0 } }) })
        // Insets, shadows and transitions.
        control.configure(.halfScreen, insets: .init(top: 0, leading: 10, bottom: 0, trailing: 10))
        control.configure(.fullScreen, insets: EdgeInsets(top: 10, leading: 60, bottom: 34, trailing: 60))
        control.configure([.halfScreen(.top)], shadow: nil)
        control.configure([.halfScreen(.top), .fullScreen(.bottom)], shadow: AnyView(Color.black.opacity(0.3)))
        control.configure(
            .portrait(.bottom),
            shadow: AnyView(LinearGradient(colors: [.black, .clear], startPoint: .bottom, endPoint: .top)))
        control.configure(.portrait(.center), shadow: nil)
        control.configure(shadow: AnyView(Rectangle().fill(.black.opacity(0.2)).allowsHitTesting(false)))
        control.configure(shadow: nil)
        control.configure(
            [.halfScreen(.top), .halfScreen(.left), .halfScreen(.right), .halfScreen(.bottom), .halfScreen(.center)],
            transition: .opacity)
        control.configure(.fullScreen(.bottom), transition: .move(edge: .bottom).combined(with: .opacity))
        // Display styles.
        control.configure(displayStyle: .always)
        control.configure(displayStyle: .never)
        control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 5))
        control.configure(displayStyle: .manual(firstAppear: true, animation: .easeInOut(duration: 0.2)))
        control.configure(displayStyle: .manual(firstAppear: false, animation: nil))
        control.configure(displayStyle: .custom(animation: nil))
        control.present()
        control.dismiss()
        control.opacity(0.5)
        control.opacity(1, animation: .default)
        let isShown: Bool = control.isBeingPresented
        let observation: AnyCancellable = control.$isBeingPresented.sink { (_: Bool) in }
        _ = (isShown, observation)
        let raw: [ControlService.RawDirection] = [.top, .left, .right, .bottom, .center]
        let slots: [ControlService.Direction] = [.top1, .top2, .left, .right, .bottom1, .bottom2, .bottom3, .center]
        let statuses: [ControlService.ScreenStatus] = [.halfScreen, .fullScreen, .portrait]
        control.configure(raw.map { ControlService.RawLocation.portrait($0) }, transition: .identity)
        control.configure(slots.map(ControlService.Location.portrait)) { [A()] }
        for status in statuses { control.configure(status, insets: .init()) }
    }

    static func feature(_ context: Context) {
        let feature = context.feature
        feature.present(.bottom(.squeeze(0))) { /* beforePresent */
        } beforeDismiss: {
        } content: {
            AnyView(A())
        }
        feature.present(.bottom(.squeeze(0))) {
            context.control.dismiss()
        } beforeDismiss: {
            context.control.present()
        } content: {
            AnyView(A().frame(height: 400))
        }
        feature.present(.right(.squeeze(0))) { AnyView(A()) }
        feature.present(.right(.cover)) {
            AnyView(
                VStack { A() }.frame(maxHeight: .infinity).background(.thinMaterial)
            )
        }
        feature.present(.left(.cover), animation: nil) { AnyView(A()) }
        feature.present(
            .top(.squeeze(8)), animation: .easeInOut, beforePresent: {}, afterPresent: {}, beforeDismiss: {},
            afterDismiss: {}, content: { AnyView(A()) })
        feature.present(.top(.cover), afterPresent: nil, content: { AnyView(EmptyView()) })
        feature.dismiss()
        feature.dismiss(animation: .linear)
        feature.configure(dismissOnTap: false)
        feature.configure(dismissOnStatusChanged: false)
        let direction: FeatureService.Direction = .left(.squeeze(3))
        let style = FeatureService.Direction.Style.cover
        _ = direction == .right(style) || style == .squeeze(1)
    }

    static func plugin(_ context: Context) {
        let plugin = context.plugin
        plugin.present(.center) { AnyView(A()) }
        plugin.present(.topLeading, animation: .default, transition: .identity) { AnyView(Text("0:12").padding()) }
        plugin.present(.bottom, transition: .scale(scale: 2).combined(with: .opacity), content: { AnyView(A()) })
        plugin.present(.center, animation: nil) {
            AnyView(Image(systemName: "play.fill").allowsHitTesting(false))
        }
        if plugin.isBeingPresented { plugin.dismiss() }
        plugin.dismiss(animation: nil)
    }

    static func toast(_ context: Context) {
        let toast = context.toast
        toast.configure(duration: .seconds(3))
        toast.configure(duration: .never)
        toast.configure(insets: .init(top: 48, leading: 10, bottom: 48, trailing: 0))
        toast.configure(lineSpacing: 8)
        toast.configure { object in
            Text("\(String(describing: object))").foregroundColor(.white).padding(6).background(.black.opacity(0.5))
                .cornerRadius(4)
        }
        toast.configure(content: { (object: Any) in
            if let text = object as? String { return AnyView(Text(text)) }
            return AnyView(A())
        })
        toast.toast("Copied")
        toast.toast(3)
    }

    static func containerAndRender(_ context: Context) -> AVPictureInPictureController? {
        let all: [PlayerService.Overlay] = PlayerService.Overlay.allCases
        context.container.enable(overlays: all)
        context.container.enable(overlays: [.render, .plugin, .feature])
        context.container.configure(overlay: .control) { AnyView(A()) }
        context[PlayerService.self].configure(overlay: .toast, overlayGetter: { AnyView(A()) })
        let player: AVPlayer = context.render.player
        let layer: AVPlayerLayer = context.render.layer
        layer.videoGravity = .resizeAspect
        context.render.layer.videoGravity = .resizeAspectFill
        context.render.attach(player: player)
        return AVPictureInPictureController(playerLayer: context.render.layer)
    }

    static func space(_ frame: @escaping (CGRect) -> Void) -> some View {
        GeometryReader { proxy in
            Color.clear.onAppear { frame(proxy.frame(in: .containerSpace)) }
        }
        .gesture(DragGesture(coordinateSpace: CoordinateSpace.containerSpace))
    }
}

// MARK: gestures

/// A custom drag gesture over the whole container, with a named type and assigned, as in the examples.
@MainActor
final class ContainerGestureModel: ObservableObject {
    private var cancellables = [AnyCancellable]()
    @Published var offset = CGSize.zero
    let context = Context()

    init() {
        let gesture = context.gesture
        gesture.simultaneousDragGesture = DragGesture(coordinateSpace: .global)
            .onChanged { [weak self] value in self?.offset = value.translation }
            .onEnded { [weak self] value in withAnimation(.easeInOut(duration: 0.1)) { self?.offset = .zero } }
        gesture.simultaneousTapGesture = SpatialTapGesture().onEnded { [weak self] in self?.offset.width = $0.location.x
        }
        gesture.simultaneousDoubleTapGesture = SpatialTapGesture(count: 2).onEnded { _ in }
        gesture.simultaneousLongPressGesture = LongPressGesture(minimumDuration: 1).onEnded { _ in }
        gesture.simultaneousPinchGesture = MagnificationGesture().onChanged { _ in }.onEnded { (_: CGFloat) in }
        gesture.simultaneousRotationGesture = RotationGesture().onChanged { _ in }.onEnded { (_: Angle) in }
        let drag: _EndedGesture<_ChangedGesture<DragGesture>>? = gesture.simultaneousDragGesture
        let tap: _EndedGesture<SpatialTapGesture>? = gesture.simultaneousTapGesture
        let pinch: _EndedGesture<_ChangedGesture<MagnificationGesture>>? = gesture.simultaneousPinchGesture
        let turn: _EndedGesture<_ChangedGesture<RotationGesture>>? = gesture.simultaneousRotationGesture
        let press: _EndedGesture<LongPressGesture>? = gesture.simultaneousLongPressGesture
        _ = (drag, tap, pinch, turn, press)
        gesture.simultaneousTapGesture = nil
        gesture.configure(true)
        gesture.$enabled.sink { _ in }.store(in: &cancellables)
        gesture.$simultaneousDragGesture.sink { _ in }.store(in: &cancellables)

        gesture.observe(.tap(.all)) { [weak self] event in
            guard case .tap(let point) = event.value else { return }
            self?.offset = CGSize(width: point.x, height: point.y)
        }
        .store(in: &cancellables)
        gesture.observe(.drag(.horizontal)) { [weak self] event in
            switch event.action {
            case .start:
                guard case .drag(let value) = event.value else { return }
                self?.offset = value.translation
            case .end: self?.offset = .zero
            }
        }
        .store(in: &cancellables)
        let vertical: AnyCancellable = gesture.observe(
            .drag(.vertical(.left)), handler: { [weak self] in self?.told($0) })
        vertical.store(in: &cancellables)
        gesture.observe(.hover) { event in print(event.gesture == .hover, event.action == .start) }.store(
            in: &cancellables)
    }

    private func told(_ event: GestureService.GestureEvent) {
        switch event.value {
        case .tap(let point), .doubleTap(let point): print(point.x)
        case .drag(let value): print(value.startLocation.x)
        case .longPress, .hover: print(event.gesture)
        case .rotate(let angle): print(angle.degrees)
        case .pinch(let factor): print(factor)
        }
        let all: [GestureService.Gesture] = [
            .tap(.all), .doubleTap(.left), .drag(.vertical(.right)), .drag(.horizontal), .longPress, .rotate, .pinch,
            .hover,
        ]
        print(all.contains(event.gesture), GestureService.Gesture.Location.all == .left)
    }
}

/// A widget that covers the video and passes on the gestures that it receives.
struct CoveringWidget: View {
    var body: some View {
        WithService(GestureService.self) { gesture in
            Color.clear.contentShape(Rectangle())
                .simultaneousGesture(gesture.tapGesture)
                .simultaneousGesture(gesture.doubleTapGesture)
                .simultaneousGesture(gesture.longPressGesture)
                .simultaneousGesture(gesture.dragGesture)
                .simultaneousGesture(gesture.pinchGesture)
                .simultaneousGesture(gesture.rotationGesture)
        }
    }
}
