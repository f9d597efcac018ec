import ExampleKit
import VideoPlayerContainer
import Zoetrope

/// A service that shows the floating panel when the pointer moves or on a tap, and hides it when the pointer stops or
/// leaves.
final class PanelService: Service {
    @Published private(set) var isShown = true
    /// The offset of the panel from the middle of the lower edge, in points, after a drag.
    @Published var offset = CGSize.zero
    /// Whether the pointer is on the panel. While it is, the panel stays visible.
    var isInUse = false { didSet { if isInUse { show() } } }
    private var observations: Set<AnyCancellable> = []
    private var hiding: AnyCancellable?

    required init(_ context: Context) {
        super.init(context)
        context.gesture.observe(.hover) { [weak self] event in event.action == .start ? self?.show() : self?.hide() }
            .store(in: &observations)
        context.gesture.observe(.tap(.all)) { [weak self] _ in
            guard let self else { return }
            isShown ? hide() : show()
        }.store(in: &observations)
        show()
    }

    func show() {
        if !isShown { withAnimation { isShown = true } }
        hiding = context?.dependency(\.timer).after(3) { [weak self] in self?.hide() }
    }
    func hide() {
        guard !isInUse, isShown else { return }
        hiding = nil
        withAnimation { isShown = false }
    }
}

/// A panel with two rows of controls, which the user can drag.
struct PanelWidget: View {
    @State private var start: CGSize?

    var body: some View {
        WithService(PanelService.self) { panel in
            WithService(PlaylistService.self) { playlist in
                GeometryReader { proxy in
                    ZStack(alignment: .bottom) {
                        Color.clear.allowsHitTesting(false)
                        if panel.isShown, playlist.current != nil {
                            rows(proxy.size)
                                .frame(width: min(460, proxy.size.width - 24))
                                .background { RoundedRectangle(cornerRadius: 14).fill(Color.black.opacity(0.72)) }
                                .overlay {
                                    RoundedRectangle(cornerRadius: 14).strokeBorder(
                                        Color.white.opacity(0.12), lineWidth: 1)
                                }
                                .offset(panel.offset)
                                .gesture(drag(panel, proxy.size))
                                .onHover { panel.isInUse = $0 }
                                .padding(.bottom, 18)
                                .transition(.opacity)
                        }
                    }
                }
            }
        }
    }

    private func rows(_ room: CGSize) -> some View {
        VStack(spacing: 2) {
            HStack(spacing: 4) {
                VolumeWidget()
                Spacer(minLength: 0)
                PreviousWidget()
                PlaybackWidget()
                NextWidget()
                Spacer(minLength: 0)
                PictureInPictureButton()
                PlaylistWidget()
            }
            HStack(spacing: 6) {
                TimeWidget()
                SeekBarWidget()
                RemainingWidget()
            }
            .padding(.horizontal, 6)
        }
        .padding(.horizontal, 8).padding(.vertical, 6)
    }

    /// Returns a gesture that moves the panel within the window.
    private func drag(_ panel: PanelService, _ room: CGSize) -> some Gesture {
        DragGesture(coordinateSpace: .containerSpace)
            .onChanged { value in
                let from = start ?? panel.offset
                start = from
                let side = max(0, (room.width - min(460, room.width - 24)) / 2 - 8)
                panel.offset = CGSize(
                    width: min(side, max(-side, from.width + value.translation.width)),
                    height: min(0, max(-(room.height - 140), from.height + value.translation.height)))
            }
            .onEnded { _ in start = nil }
    }
}
