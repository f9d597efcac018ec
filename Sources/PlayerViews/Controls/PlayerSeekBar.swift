import DeclarativeUI
import Foundation
import MediaEngine

/// The seek bar of a player's item, with the loaded ranges, the chapters, the A–B loop and a knob. A preview appears
/// above the pointer.
struct PlayerSeekBar: View {
    let transport: PlayerTransport
    let presence: ControlsPresence
    /// The duration in seconds, more than 0.
    let duration: Double
    let showsPictures: Bool
    let isFocused: Bool
    /// The fraction of the duration under the pointer.
    @State private var pointed: Double?
    @State private var preview = SeekPreview()
    @Environment(\.layoutDirection) private var direction
    /// The height of the line, the diameter of the knob and the height of the bar, in points.
    private static let line = Space.tight, knob = Space.wide, height = ControlButton.side

    var body: some View {
        SeekBar(
            value: min(transport.time, duration) / duration, state: Binding(get: { .idle }, set: handle),
            height: PlayerSeekBar.height, spokenValue: SpokenTime.text(transport.time, of: duration)
        ) { fraction, size in
            let isLarge = pointed != nil || transport.isScrubbing || isFocused
            ZStack(alignment: .leading) {
                SeekTrack(transport: transport, duration: duration).frame(
                    height: isLarge ? PlayerSeekBar.line + Space.hair : PlayerSeekBar.line)
                Circle().fill(Shade.ink).frame(width: PlayerSeekBar.knob, height: PlayerSeekBar.knob)
                    .overlay {
                        if isFocused {
                            Circle().stroke(Color.themeAccent, lineWidth: Space.hair).padding(-Space.tight)
                        }
                    }
                    .offset(
                        x: min(
                            max(fraction * size.width - PlayerSeekBar.knob / 2, 0),
                            max(0, size.width - PlayerSeekBar.knob)))
            }
            .frame(width: size.width, height: PlayerSeekBar.height)
            .contentShape(Rectangle())
            .onContinuousHover { phase in
                switch phase {
                case .active(let location): if size.width > 0 { point(at: min(max(location.x / size.width, 0), 1)) }
                case .ended: if !transport.isScrubbing { pointed = nil }
                }
            }
            .overlay(alignment: .topLeading) {
                if let pointed {
                    SeekPreviewView(
                        preview: preview, seconds: pointed * duration,
                        chapter: transport.options.chapter(at: pointed * duration)?.title,
                        showsThumbnail: showsPictures, isMirrored: direction == .rightToLeft, x: pointed * size.width,
                        width: size.width)
                }
            }
        }
        .frame(maxWidth: .infinity)
    }

    private func point(at fraction: Double) {
        pointed = fraction
        if showsPictures { preview.update(at: fraction * duration, of: transport.player?.currentItem) }
    }

    /// Seeks while the bar is dragged, and pauses the player meanwhile.
    private func handle(_ state: SeekBarState) {
        switch state {
        case .idle: end()
        case .tracking(let value):
            begin()
            point(at: value)
            transport.seek(to: value * duration)
        case .ended(let value):
            if !transport.isScrubbing {
                begin()
                transport.seek(to: value * duration)
            }
            end()
        }
    }
    private func end() {
        transport.scrub(false)
        presence.isHeld = false
    }
    private func begin() {
        guard !transport.isScrubbing else { return }
        transport.scrub(true)
        presence.isHeld = true
    }
}

/// The track of the seek bar: the loaded ranges, the played part, the chapters and the A–B loop.
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
            if let part = options.loop.part {
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

/// The preview above the seek bar: a thumbnail, the time and the chapter.
private struct SeekPreviewView: View {
    let preview: SeekPreview
    let seconds: Double
    let chapter: String?
    let showsThumbnail: Bool
    /// Whether the seek bar is mirrored. The preview is then mirrored a second time, so that it looks normal.
    let isMirrored: Bool
    /// The position on the bar and the width of the bar, in points.
    let x: CGFloat, width: CGFloat
    private static let box = CGSize(width: 168, height: 140)

    var body: some View {
        VStack(spacing: Space.tight) {
            Spacer(minLength: 0)
            if showsThumbnail, let frame = preview.frame {
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
        .scaleEffect(x: isMirrored ? -1 : 1, y: 1)
        .offset(
            x: min(max(x - SeekPreviewView.box.width / 2, -40), max(-40, width - SeekPreviewView.box.width + 40)),
            y: -SeekPreviewView.box.height - Space.tight
        )
        .allowsHitTesting(false)
        .accessibilityHidden(true)
    }
}
