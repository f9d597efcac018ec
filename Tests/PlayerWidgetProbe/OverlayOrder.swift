import VideoPlayerContainer
import Zoetrope

/// A page with all ten layers, each of which covers a part of the layer below. The layers are rectangles of 60 × 40
/// points at intervals of 30 points, 100 points below the top.
enum OverlayOrder {
    @MainActor
    static func arrange(_ context: Context) {
        let container = context.container
        let colors: [PlayerService.Overlay: Color] = [
            .render: .yellow255, .feature: .cyan255, .plugin: .magenta255, .control: Color(red: 0, green: 0.5, blue: 0),
            .toast: Color(red: 0.5, green: 0, blue: 0),
        ]
        for (index, overlay) in PlayerService.Overlay.allCases.enumerated() {
            let color = colors[overlay] ?? .black
            let x = CGFloat(100 + 60 * index)
            container.configure(overlay: overlay) { AnyView(mark(color, x, 60)) }
        }
        // Each built-in overlay is over the right part of the custom overlay below it, and under the left part of its
        // own custom overlay.
        context.feature.configure(dismissOnTap: false)
        context.feature.present(.top(.cover), animation: nil) {
            AnyView(mark(Color(red: 0.5, green: 0.5, blue: 0.5), 140, 40).frame(height: 200))
        }
        context.plugin.present(.topLeading, animation: nil) {
            AnyView(mark(Color(red: 0.25, green: 0.25, blue: 0.25), 200, 40))
        }
        context.control.configure(.halfScreen(.top), shadow: nil)
        context.control.configure(.halfScreen(.top1)) {
            [mark(Color(red: 0, green: 0, blue: 0.5), 260, 40), Spacer(minLength: 0)]
        }
        context.control.configure(displayStyle: .always)
        context.toast.configure(insets: EdgeInsets())
        context.toast.configure(duration: .never)
        context.toast.configure { _ in
            mark(Color(red: 0.75, green: 0.75, blue: 0.75), 320, 40).frame(
                maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
        }
        context.toast.toast("")
    }

    private static func mark(_ color: Color, _ x: CGFloat, _ width: CGFloat) -> some View {
        color.frame(width: width, height: 40).padding(.leading, x).padding(.top, 100).frame(
            maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
    }
}

/// A page with a mark in each slot.
enum Slots {
    @MainActor
    static func arrange(_ context: Context) {
        let control = context.control
        func mark(_ color: Color) -> some View { color.frame(width: 40, height: 20) }
        control.configure(displayStyle: .always)
        control.configure([.halfScreen(.top), .halfScreen(.bottom), .fullScreen(.top)], shadow: nil)
        control.configure(.halfScreen, insets: .init(top: 10, leading: 20, bottom: 30, trailing: 40))
        control.configure(.halfScreen(.top1)) { [mark(.cyan255), Spacer()] }
        control.configure(.halfScreen(.top2)) { [Spacer(), mark(.magenta255)] }
        control.configure(.halfScreen(.left)) { [mark(.yellow255)] }
        control.configure(.halfScreen(.right)) { [mark(.cyan255), mark(.magenta255)] }
        control.configure(.halfScreen(.right)) { views in VStack(spacing: 0) { ForEach(views) { $0 } } }
        control.configure(.halfScreen(.center)) { [mark(.magenta255)] }
        control.configure(.halfScreen(.bottom3)) { [mark(.yellow255), Spacer()] }
        control.configure(.halfScreen(.bottom2)) { [Spacer(), mark(.cyan255)] }
        control.configure(.halfScreen(.bottom1)) { [mark(.magenta255), Spacer()] }
        control.configure(.fullScreen(.top1)) { [mark(.yellow255), Spacer()] }
    }
}
