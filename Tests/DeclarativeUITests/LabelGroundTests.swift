import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of labels on the frames of controls. These in-process drawings lack GTK's own frame, which is light.
@Suite("Labels on frames") @MainActor
struct LabelGroundTests {
    /// The colors of all pixels that are more than half opaque: red, green and blue, 0…255, not premultiplied.
    private func colors(_ view: some View) -> [[Int]] {
        let drawing = Stage(120, 60) { view }.drawing()
        var found: [[Int]] = []
        for y in 0..<60 {
            for x in 0..<120 {
                let pixel = drawing.pixel(x, y).map { Int($0) }
                guard pixel.count == 4, pixel[3] > 128 else { continue }
                found.append([pixel[0] * 255 / pixel[3], pixel[1] * 255 / pixel[3], pixel[2] * 255 / pixel[3]])
            }
        }
        return found
    }
    private func isWhite(_ color: [Int]) -> Bool { color.allSatisfy { $0 > 200 } }
    private func isBlack(_ color: [Int]) -> Bool { color.allSatisfy { $0 < 60 } }
    private func isRed(_ color: [Int]) -> Bool { color[0] > 200 && color[1] < 60 }

    private func menu(_ label: some View) -> some View {
        Menu {
            Button("a") {}
        } label: {
            label
        }
    }

    @Test("a white label on a light frame is drawn dark")
    func unreadable() {
        for view in [
            AnyView(menu(Text("Speed")).foregroundColor(.white)),
            AnyView(menu(Text("Speed").foregroundColor(.white)).foregroundColor(.white)),
            AnyView(menu(Image(systemName: "circle.fill").foregroundStyle(.white)).foregroundColor(.white)),
            AnyView(menu(Text("Speed")).colorScheme(.dark)),
            AnyView(Button("Speed") {}.foregroundColor(.white)),
        ] {
            let colors = colors(view)
            #expect(colors.contains(where: isBlack) && !colors.contains(where: isWhite))
        }
    }

    @Test("a readable label, or one with its own ground, keeps its color")
    func kept() {
        let red = Color(red: 1, green: 0, blue: 0)
        #expect(colors(menu(Image(systemName: "circle.fill").foregroundStyle(red))).contains(where: isRed))
        for view in [
            AnyView(menu(Image(systemName: "circle.fill").padding().background(Color.black))),
            AnyView(menu(Image(systemName: "circle.fill")).menuStyle(.borderlessButton)),
            AnyView(
                Button {
                } label: {
                    Image(systemName: "circle.fill")
                }.buttonStyle(.plain)),
            AnyView(Image(systemName: "circle.fill")),
        ] {
            #expect(colors(view.foregroundColor(.white)).contains(where: isWhite))
        }
    }
}
