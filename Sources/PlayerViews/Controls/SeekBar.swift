import DeclarativeUI
import Foundation
import MediaCore
import MediaEngine
import Presentation

/// Where a player stands in its item: what has come, chapters, the part that goes round, a knob; and under the pointer
/// a picture of the place.
struct SeekBar: View {
    let transport: PlayerTransport
    let presence: ControlsPresence
    /// Seconds, more than 0.
    let duration: Double
    let showsPictures: Bool
    let focus: FocusState<PlayerControl?>.Binding
    /// Where the pointer is, 0…1.
    @State private var pointed: Double?
    @State private var preview = SeekPreview()
    @Environment(\.layoutDirection) private var direction
    /// Points.
    private static let line = Space.tight, knob = Space.wide, height = ControlButton.side

    var body: some View {
        let isLarge = pointed != nil || transport.isScrubbing || focus.wrappedValue == .position
        ZStack {
            // For the keyboard and assistive technology, which know sliders. It is not seen, and the pointer passes it.
            Slider(
                value: Binding(get: { min(transport.time, duration) }, set: { transport.seek(to: $0) }),
                in: 0...duration
            ) { isEditing in
                transport.scrub(isEditing)
                presence.isHeld = isEditing
            }
            .focused(focus, equals: .position)
            .accessibilityLabel(PlayerText.position)
            .accessibilityValue(SpokenTime.text(transport.time, of: duration))
            .opacity(0)
            .allowsHitTesting(false)
            GeometryReader { proxy in
                let width = proxy.size.width
                let place = min(max(transport.time / duration, 0), 1) * width
                ZStack(alignment: .leading) {
                    SeekTrack(transport: transport, duration: duration).frame(
                        height: isLarge ? SeekBar.line + Space.hair : SeekBar.line)
                    Circle().fill(Shade.ink).frame(width: SeekBar.knob, height: SeekBar.knob)
                        .overlay {
                            if focus.wrappedValue == .position {
                                Circle().stroke(Color.themeAccent, lineWidth: Space.hair).padding(-Space.tight)
                            }
                        }
                        .offset(x: min(max(place - SeekBar.knob / 2, 0), max(0, width - SeekBar.knob)))
                }
                .frame(width: width, height: SeekBar.height)
                .contentShape(Rectangle())
                .gesture(
                    DragGesture(minimumDistance: 0).onChanged { drag($0.location.x, width) }.onEnded { _ in release() }
                )
                .onContinuousHover { phase in
                    switch phase {
                    case .active(let place): point(at: place.x, width)
                    case .ended: if !transport.isScrubbing { pointed = nil }
                    }
                }
                .overlay(alignment: .topLeading) {
                    if let pointed {
                        SeekPreviewView(
                            preview: preview, seconds: pointed * duration,
                            chapter: transport.options.chapter(at: pointed * duration)?.title,
                            showsPicture: showsPictures, isTurned: direction == .rightToLeft, x: pointed * width,
                            width: width)
                    }
                }
            }
            .frame(height: SeekBar.height)
            // From right to left all of it is turned round, and the pointer with it; pictures and words are turned
            // back.
            .environment(\.layoutDirection, .leftToRight)
            .scaleEffect(x: direction == .rightToLeft ? -1 : 1, y: 1)
        }
        .frame(height: SeekBar.height)
        .frame(maxWidth: .infinity)
    }

    private func point(at x: CGFloat, _ width: CGFloat) {
        guard width > 0 else { return }
        let share = min(max(x / width, 0), 1)
        pointed = share
        if showsPictures { preview.look(at: share * duration, of: transport.player?.currentItem) }
    }
    private func drag(_ x: CGFloat, _ width: CGFloat) {
        guard width > 0 else { return }
        if !transport.isScrubbing {
            transport.scrub(true)
            presence.isHeld = true
        }
        point(at: x, width)
        transport.seek(to: min(max(x / width, 0), 1) * duration)
    }
    private func release() {
        transport.scrub(false)
        presence.isHeld = false
    }
}

/// The line: what has come, what was played, chapters, the part that goes round.
private struct SeekTrack: View {
    let transport: PlayerTransport
    let duration: Double

    var body: some View {
        let options = transport.options
        Canvas { context, size in
            func rect(_ from: Double, _ to: Double) -> CGRect {
                let (a, b) = (min(max(from / duration, 0), 1), min(max(to / duration, 0), 1))
                return CGRect(x: a * size.width, y: 0, width: max(0, b - a) * size.width, height: size.height)
            }
            let whole = Path(roundedRect: CGRect(origin: .zero, size: size), cornerRadius: size.height / 2)
            context.fill(whole, with: .color(Shade.pictureTrack))
            context.clip(to: whole)
            for range in options.loaded {
                context.fill(Path(rect(range.lowerBound, range.upperBound)), with: .color(Shade.pictureLoaded))
            }
            context.fill(Path(rect(0, transport.time)), with: .color(Shade.ink))
            if let part = options.part {
                context.fill(Path(rect(part.lowerBound, part.upperBound)), with: .color(.themeAccent))
            }
            for chapter in options.chapters where chapter.start > 0.01 {
                let x = chapter.start / duration * size.width
                context.fill(
                    Path(CGRect(x: x - Space.line, y: 0, width: 2 * Space.line, height: size.height)),
                    with: .color(Shade.label))
            }
        }
        .accessibilityHidden(true)
    }
}

/// The picture of a place, its time and its chapter, over the bar.
private struct SeekPreviewView: View {
    let preview: SeekPreview
    let seconds: Double
    let chapter: String?
    let showsPicture: Bool
    /// The bar is: this is not to be.
    let isTurned: Bool
    /// Points: the place, and how wide the bar is.
    let x: CGFloat, width: CGFloat
    private static let box = CGSize(width: 168, height: 140)

    var body: some View {
        VStack(spacing: Space.tight) {
            Spacer(minLength: 0)
            if showsPicture, let frame = preview.frame {
                Image(decorative: frame, scale: 1)
                    .resizable()
                    .aspectRatio(contentMode: .fit)
                    .frame(maxWidth: 160, maxHeight: 96)
                    .clipShape(RoundedRectangle(cornerRadius: Radius.small))
                    .overlay {
                        RoundedRectangle(cornerRadius: Radius.small).stroke(Shade.faintInk, lineWidth: Space.line)
                    }
                    .elevation(.raised)
            }
            VStack(spacing: Space.line) {
                if let chapter { Text(verbatim: chapter).font(.caption).lineLimit(1) }
                ClockText(seconds: seconds)
            }
            .padding(.horizontal, Space.snug)
            .padding(.vertical, Space.hair)
            .background(RoundedRectangle(cornerRadius: Radius.small).fill(Shade.label))
        }
        .frame(width: SeekPreviewView.box.width, height: SeekPreviewView.box.height)
        .scaleEffect(x: isTurned ? -1 : 1, y: 1)
        .offset(
            x: min(max(x - SeekPreviewView.box.width / 2, -40), max(-40, width - SeekPreviewView.box.width + 40)),
            y: -SeekPreviewView.box.height - Space.tight
        )
        .allowsHitTesting(false)
        .accessibilityHidden(true)
    }
}
