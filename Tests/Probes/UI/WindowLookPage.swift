import DeclarativeUI
import Foundation

extension UIProbe {
    /// A view that changes the properties of its window on a tap.
    struct WindowLookPage: View {
        var body: some View {
            Color.gray.frame(width: 100, height: 100).onTapGesture {
                guard let window = NSApp.windows.first else { return }
                window.styleMask = [.titled, .closable]
                window.titleVisibility = .hidden
                window.titlebarAppearsTransparent = true
                window.isMovableByWindowBackground = true
                let mask = window.styleMask
                UIProbe.say("mask", "\(mask.contains(.closable)) \(mask.contains(.resizable)) \(window.title)")
            }.located("look")
        }
    }
}
