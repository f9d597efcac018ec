import Foundation
import Observation
import Testing

@testable import DeclarativeUI

/// Tests that a view with cached drawings looks the same as the view drawn without the cache.
@Suite("Cached drawings") @MainActor
struct KeptDrawingTests {
    @Observable @MainActor
    final class Model {
        var step = 0
    }

    /// The property of the content that changes with each step.
    private enum Change: String, CaseIterable {
        case digit, textColor, weight, fontSize, family, kerning, underline, strike, italic, opacityOfText
        case fill, fillOpacity, corner, strokeWidth, dash, cap, pathPoint, gradientStop, gradientEnd
        case symbol, symbolColor, symbolWeight, order, place, size, inner, canvas, image, template, mirrored
    }
    /// The modifiers around the content: those that cache drawings, and those that may be between the content and a
    /// cache.
    private enum Layer: String, CaseIterable {
        case shadow, shadowInShadow, blur, opacity, opacityInShadow, mask, clip, offsetInShadow, scaleInShadow
        case rotationInBlur, background, overlay, elevation, cornerRadius, maskInShadow, transition
    }

    private struct Content: View {
        let change: Change
        let step: Int
        private var on: Bool { step % 2 == 1 }
        private static let red = Color(red: 1, green: 0, blue: 0), blue = Color(red: 0, green: 0, blue: 1)
        private var color: Color { on ? Content.red : Content.blue }

        var body: some View {
            switch change {
            case .digit: Text(verbatim: "0:0\(step % 10)").monospacedDigit()
            case .textColor: Text(verbatim: "0:00").foregroundColor(color)
            case .weight: Text(verbatim: "0:00").fontWeight(on ? .bold : .regular)
            case .fontSize: Text(verbatim: "0:00").font(.system(size: on ? 15 : 14)).frame(width: 60, height: 30)
            case .family: Text(verbatim: "0:00").font(.system(size: 14, design: on ? .serif : .default))
            case .kerning: Text(verbatim: "0:00").kerning(on ? 1 : 0).frame(width: 60, height: 30)
            case .underline: Text(verbatim: "0:00").underline(on)
            case .strike: Text(verbatim: "0:00").strikethrough(on)
            case .italic: on ? Text(verbatim: "0:00").italic() : Text(verbatim: "0:00")
            case .opacityOfText: Text(verbatim: "0:00").opacity(on ? 0.4 : 0.8)
            case .fill: Rectangle().fill(color).frame(width: 30, height: 20)
            case .fillOpacity: Circle().fill(Content.red.opacity(on ? 0.3 : 0.7)).frame(width: 30, height: 20)
            case .corner:
                RoundedRectangle(cornerRadius: on ? 8 : 3).fill(Content.red).frame(width: 30, height: 20)
            case .strokeWidth: Circle().stroke(Content.red, lineWidth: on ? 4 : 2).frame(width: 30, height: 30)
            case .dash:
                Rectangle().stroke(Content.red, style: StrokeStyle(lineWidth: 3, dash: on ? [4, 4] : [6, 2]))
                    .frame(width: 30, height: 30)
            case .cap:
                Path {
                    $0.move(to: CGPoint(x: 6, y: 6))
                    $0.addLine(to: CGPoint(x: 24, y: 20))
                }
                .stroke(Content.red, style: StrokeStyle(lineWidth: 6, lineCap: on ? .round : .butt))
                .frame(width: 30, height: 30)
            case .pathPoint:
                Path {
                    $0.move(to: CGPoint(x: 2, y: 28))
                    $0.addLine(to: CGPoint(x: on ? 12 : 15, y: 2))
                    $0.addLine(to: CGPoint(x: 28, y: 28))
                }
                .fill(Content.red).frame(width: 30, height: 30)
            case .gradientStop:
                Rectangle().fill(LinearGradient(colors: [Content.red, color], startPoint: .top, endPoint: .bottom))
                    .frame(width: 30, height: 30)
            case .gradientEnd:
                Rectangle().fill(
                    LinearGradient(
                        colors: [Content.red, Content.blue], startPoint: .top, endPoint: on ? .trailing : .bottom)
                ).frame(width: 30, height: 30)
            case .symbol: Image(systemName: on ? "play.fill" : "pause.fill")
            case .symbolColor: Image(systemName: "play.fill").foregroundColor(color)
            case .symbolWeight: Image(systemName: "plus").fontWeight(on ? .black : .light)
            case .order:
                ZStack {
                    if on { Content.blue.frame(width: 20, height: 20) }
                    Content.red.frame(width: 15, height: 15)
                    if !on { Content.blue.frame(width: 20, height: 20) }
                }
            case .place: Content.red.frame(width: 10, height: 10).offset(x: on ? 4 : 0)
            case .size: Content.red.frame(width: on ? 21 : 20, height: 20)
            case .inner:
                VStack(spacing: 0) {
                    Content.blue.frame(width: 40, height: 10)
                    HStack(spacing: 0) {
                        Content.red.frame(width: 20, height: 20)
                        Text(verbatim: on ? "1" : "2").monospacedDigit().frame(width: 20, height: 20)
                    }
                }
            case .canvas:
                Canvas { context, size in
                    context.fill(Path(CGRect(x: 0, y: 0, width: on ? 10 : 20, height: 10)), with: .color(Content.red))
                }
                .frame(width: 30, height: 30)
            case .image: picture(on ? 255 : 128)
            case .template: picture(255).renderingMode(.template).foregroundColor(color)
            case .mirrored:
                HStack(spacing: 0) {
                    Content.red.frame(width: 10, height: 10)
                    Content.blue.frame(width: 10, height: 10)
                }
                .environment(\.layoutDirection, on ? .rightToLeft : .leftToRight)
            }
        }

        private final class Owner: Sendable {}
        private static let owners = [Owner(), Owner()]

        /// An image of 20 × 20 pixels in one gray. Images of two steps differ only in the gray.
        private func picture(_ grey: UInt8) -> Image {
            Image(
                pixels: ImagePixels(of: Content.owners[grey == 255 ? 0 : 1], scale: 1, orientation: .up) {
                    ImagePixels.Pixels(
                        data: Data((0..<400).flatMap { _ in [grey, grey, grey, 255] }), width: 20, height: 20,
                        bytesPerRow: 80)
                }, label: nil)
        }
    }

    private struct Page: View {
        let change: Change
        let layer: Layer
        let model: Model
        var body: some View {
            layered.frame(width: 100, height: 100)
        }
        private var content: some View { Content(change: change, step: model.step) }

        @ViewBuilder private var layered: some View {
            switch layer {
            case .shadow: content.shadow(radius: 4)
            case .shadowInShadow: content.shadow(radius: 2).padding(4).background(Color.white).shadow(radius: 4)
            case .blur: content.blur(radius: 1)
            case .opacity: content.opacity(0.5)
            case .opacityInShadow: content.opacity(0.7).shadow(radius: 3)
            case .mask: Color(red: 0, green: 0.5, blue: 0).mask { content }
            case .clip: content.clipShape(RoundedRectangle(cornerRadius: 2))
            case .offsetInShadow: content.offset(x: 3, y: 2).shadow(radius: 3)
            case .scaleInShadow: content.scaleEffect(1.5).shadow(radius: 3)
            case .rotationInBlur: content.rotationEffect(.degrees(20)).blur(radius: 1)
            case .background: Color.white.frame(width: 60, height: 40).background { content }.shadow(radius: 4)
            case .overlay: Color.white.frame(width: 60, height: 40).overlay { content }.shadow(radius: 4)
            case .elevation: content.padding(6).background(Color.white).elevation(.floating)
            case .cornerRadius: content.cornerRadius(4).shadow(radius: 3)
            case .maskInShadow: content.mask { RoundedRectangle(cornerRadius: 5) }.shadow(radius: 3)
            case .transition: content.shadow(radius: 3).transition(.opacity)
            }
        }
    }

    @Test("any change inside a cached layer is drawn", arguments: Layer.allCases.indices)
    func layers(_ index: Int) {
        let layer = Layer.allCases[index]
        for change in Change.allCases {
            let model = Model()
            let stage = Stage(100, 100) { Page(change: change, layer: layer, model: model) }
            _ = stage.drawing()
            var seen: [NodePixels] = []
            for step in 1...3 {
                let before = stage.drawing()
                model.step = step
                stage.layOut()
                // Drawn twice, because the second drawing can use the cache that the first one filled.
                let kept = stage.drawing()
                let again = stage.drawing()
                DrawingCache.isEnabled = false
                let fresh = stage.drawing()
                DrawingCache.isEnabled = true
                #expect(kept == fresh, "\(change) in \(layer), step \(step)")
                #expect(again == fresh, "\(change) in \(layer), step \(step), drawn again")
                // A change need not be visible in a background behind opaque content, or in a mask, of which only the
                // opacity counts.
                if layer != .background, layer != .mask {
                    #expect(kept != before, "\(change) in \(layer): nothing changes on the screen")
                }
                seen.append(kept)
            }
        }
    }
}
