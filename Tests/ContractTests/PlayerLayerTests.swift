import Foundation
import TestSupport
import Testing
import Zoetrope

/// Tests that run apps' code with player layers without a window. `ComponentTests` tests player layers in a window.
@Suite("Player layers that apps create") @MainActor
struct PlayerLayerContractTests {
    @Test("a view's layer has its layerClass, size and player")
    func layerClass() {
        let view = PlayerUIView(frame: CGRect(x: 0, y: 0, width: 320, height: 180))
        let player = AVPlayer()
        #expect(view.playerLayer === view.layer && view.layer.bounds.size == CGSize(width: 320, height: 180))
        view.player = player
        #expect(
            view.playerLayer.player === player && !view.playerLayer.isReadyForDisplay
                && view.playerLayer.videoRect == .zero)
        #expect(UIView().layer is CAShapeLayer == false && PlayerUIView().playerLayer.videoGravity == .resizeAspect)
    }

    @Test("layoutSubviews runs when the size changes or on request")
    func layout() {
        let view = SublayerPlayerView(player: AVPlayer())
        view.frame = CGRect(x: 10, y: 10, width: 200, height: 100)
        view.layoutIfNeeded()
        #expect(view.layouts == 1 && view.layer.sublayers?.first?.frame == CGRect(x: 0, y: 0, width: 200, height: 100))
        view.layoutIfNeeded()
        view.frame.origin = .zero
        view.layoutIfNeeded()
        #expect(view.layouts == 1)
        view.setNeedsLayout()
        view.layoutIfNeeded()
        #expect(view.layouts == 2)
        view.bounds.size.width = 100
        view.layoutIfNeeded()
        #expect(view.layouts == 3 && view.layer.sublayers?.first?.frame.width == 100)
    }

    @Test("subviews follow the autoresizing mask, and sublayers the view hierarchy")
    func autoresizing() {
        let outer = UIView(frame: CGRect(x: 0, y: 0, width: 100, height: 100))
        let inner = UIView(frame: CGRect(x: 10, y: 20, width: 80, height: 60))
        outer.addSubview(inner)
        #expect(inner.superview === outer && inner.layer.superlayer === outer.layer && outer.subviews == [inner])
        inner.autoresizingMask = [.flexibleWidth, .flexibleTopMargin]
        outer.frame.size = CGSize(width: 200, height: 150)
        #expect(inner.frame == CGRect(x: 10, y: 70, width: 180, height: 60))
        inner.autoresizingMask = [.flexibleLeftMargin, .flexibleRightMargin]
        outer.frame.size.width = 400
        #expect(inner.frame.width == 180 && abs(inner.frame.minX - 110) < 0.01)
        let above = UIView()
        outer.insertSubview(above, aboveSubview: inner)
        outer.sendSubviewToBack(above)
        #expect(outer.subviews == [above, inner] && outer.layer.sublayers?.first === above.layer)
        // A view cannot be added to its own descendant.
        inner.addSubview(outer)
        #expect(outer.superview == nil)
        inner.removeFromSuperview()
        #expect(inner.superview == nil && inner.layer.superlayer == nil && outer.subviews == [above])
    }

    @Test("an NSView uses the default layer, an assigned one or makeBackingLayer()")
    func macLayers() {
        let view = NSView(frame: NSRect(x: 0, y: 0, width: 64, height: 36))
        #expect(view.layer == nil)
        view.wantsLayer = true
        #expect(view.layer?.bounds.width == 64)
        let inner = NSView()
        view.addSubview(inner)
        let own = AVPlayerLayer(player: AVPlayer())
        view.layer = own
        #expect(view.layer === own && own.bounds.size == CGSize(width: 64, height: 36) && own.sublayers?.first != nil)
        #expect(BackingPlayerView(frame: .zero).playerLayer != nil)
        let player = PlayerNSView(player: AVPlayer())
        player.frame = NSRect(x: 0, y: 0, width: 20, height: 10)
        #expect(player.needsLayout)
        player.layoutSubtreeIfNeeded()
        #expect(player.layer?.sublayers?.first?.frame.width == 20 && !player.needsLayout)
    }

    @Test("a controller loads its view on first access and lays it out")
    func controllers() {
        let controller = PlayerHostController()
        #expect(!controller.isViewLoaded)
        controller.view.frame = CGRect(x: 0, y: 0, width: 160, height: 90)
        #expect(controller.isViewLoaded && controller.view.subviews.count == 1)
        controller.view.layoutIfNeeded()
        #expect(controller.view.subviews.first?.layer.frame == CGRect(x: 0, y: 0, width: 160, height: 90))
    }

    @Test("an NSViewController loads its view, lays it out and can be nested")
    func macControllers() {
        let controller = MacPlayerController()
        let player = AVPlayer()
        controller.player = player
        #expect(!controller.isViewLoaded && controller.title == nil)
        #expect(
            controller.view.frame.size == CGSize(width: 320, height: 180) && controller.isViewLoaded
                && controller.title == "Player")
        controller.view.frame = NSRect(x: 0, y: 0, width: 160, height: 90)
        controller.view.layoutSubtreeIfNeeded()
        #expect(controller.view.layer?.sublayers?.count == 1)
        #expect(controller.view.layer?.sublayers?.first?.frame == CGRect(x: 0, y: 0, width: 160, height: 90))
        let outer = NSViewController()
        outer.addChild(controller)
        outer.view.addSubview(controller.view)
        #expect(
            outer.children == [controller] && controller.parent === outer && controller.view.superview === outer.view)
        controller.view.removeFromSuperview()
        controller.removeFromParent()
        #expect(outer.children.isEmpty && controller.parent == nil && controller.player === player)
    }

    @Test("AVKit's controller and view keep their property values")
    func systemPlayer() {
        let controller = AVPlayerViewController()
        let player = AVPlayer()
        var changes = 0
        let observation = controller.observe(\.player) { _, _ in changes += 1 }
        controller.player = player
        controller.player = player
        #expect(
            changes == 1 && controller.player === player && controller.showsPlaybackControls
                && !controller.isReadyForDisplay && controller.videoBounds == .zero)
        observation.invalidate()
        controller.videoGravity = .resize
        controller.showsPlaybackControls = false
        controller.requiresLinearPlayback = true
        #expect(
            controller.videoGravity == .resize && !controller.showsPlaybackControls && controller.requiresLinearPlayback
        )
        let view = AVPlayerView()
        view.player = player
        view.controlsStyle = .none
        #expect(
            view.player === player && !view.showsFullScreenToggleButton && !view.allowsPictureInPicturePlayback
                && view.controlsStyle == .none)
        #expect(AVPlayerViewControlsStyle.default == .inline)
    }

    // No window is involved: the layer's size and the player's first frame are enough.
    @Test("a layer is ready for display until its player is removed")
    func readiness() async throws {
        let layer = AVPlayerLayer()
        let player = AVPlayer(url: try TestMedia.url("quad-709.mp4"))
        layer.frame = CGRect(x: 0, y: 0, width: 100, height: 100)
        var told: [Bool] = []
        let observation = layer.observe(\.isReadyForDisplay, options: [.new]) { _, change in
            told.append(change.newValue ?? false)
        }
        layer.player = player
        #expect(!layer.isReadyForDisplay)
        #expect(await eventually { layer.isReadyForDisplay })
        // The video is 16:9 and the layer is square.
        #expect(layer.videoRect == CGRect(x: 0, y: 21.875, width: 100, height: 56.25))
        layer.videoGravity = .resizeAspectFill
        #expect(abs(layer.videoRect.width - 1600 / 9) < 0.01 && layer.videoRect.height == 100)
        layer.videoGravity = .resize
        #expect(layer.videoRect == layer.bounds)
        layer.player = nil
        #expect(!layer.isReadyForDisplay && layer.videoRect == .zero && told == [true, false])
        observation.invalidate()
    }

}

/// Tests of bookmarks to files.
@Suite("Bookmarks and defaults")
struct BookmarkContractTests {
    private func folder() throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-bookmark-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: url.appendingPathComponent("inner"), withIntermediateDirectories: true)
        return url
    }

    @Test("a bookmark finds its moved file and throws after the deletion")
    func moves() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appendingPathComponent("a ü.mp4")
        let moved = folder.appendingPathComponent("inner/b.mp4")
        try Data("film".utf8).write(to: file)
        let data = try file.bookmarkData()
        var isStale = true
        #expect(try URL(resolvingBookmarkData: data, bookmarkDataIsStale: &isStale).path == file.path && !isStale)
        try FileManager.default.moveItem(at: file, to: moved)
        #expect(try URL(resolvingBookmarkData: data, bookmarkDataIsStale: &isStale).path == moved.path && isStale)
        // The bookmark follows the moved file, not the new file with the old name.
        try Data("other".utf8).write(to: file)
        #expect(try URL(resolvingBookmarkData: data, bookmarkDataIsStale: &isStale).path == moved.path && isStale)
        try FileManager.default.removeItem(at: moved)
        #expect(try URL(resolvingBookmarkData: data, bookmarkDataIsStale: &isStale).path == file.path && isStale)
        try FileManager.default.removeItem(at: file)
        #expect(throws: CocoaError.self) { try URL(resolvingBookmarkData: data, bookmarkDataIsStale: &isStale) }
        #expect(throws: CocoaError.self) { try file.bookmarkData() }
    }

    @Test("a bookmark relative to a folder finds its file after a move")
    func relative() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let before = folder.appendingPathComponent("inner")
        let after = folder.deletingLastPathComponent().appendingPathComponent(folder.lastPathComponent + "-moved")
        defer { try? FileManager.default.removeItem(at: after) }
        let file = before.appendingPathComponent("film.mp4")
        try Data("film".utf8).write(to: file)
        let data = try file.bookmarkData(relativeTo: before)
        try FileManager.default.moveItem(at: before, to: after)
        var isStale = false
        #expect(
            try URL(resolvingBookmarkData: data, relativeTo: after, bookmarkDataIsStale: &isStale).path
                == after.appendingPathComponent("film.mp4").path)
        #expect(isStale)
    }

    @Test("invalid, truncated and extended bookmarks are rejected, as are web URLs")
    func hostile() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let data = try folder.bookmarkData()
        var isStale = false
        for count in 0..<data.count {
            #expect(throws: CocoaError.self) {
                try URL(resolvingBookmarkData: data.prefix(count), bookmarkDataIsStale: &isStale)
            }
        }
        #expect(throws: CocoaError.self) { try URL(resolvingBookmarkData: data + [0], bookmarkDataIsStale: &isStale) }
        #expect(throws: CocoaError.self) {
            try URL(resolvingBookmarkData: Data(repeating: 0xFF, count: 4096), bookmarkDataIsStale: &isStale)
        }
        #expect(throws: CocoaError.self) { try URL(string: "https://example.com/a.mp4")?.bookmarkData() }
    }

    @Test("UserDefaults returns values set by key, bookmarks included") @MainActor
    func defaults() throws {
        let name = "zt-\(UUID().uuidString)"
        let defaults = try #require(UserDefaults(suiteName: name))
        defer { defaults.removePersistentDomain(forName: name) }
        #expect(defaults.value(forKey: "recent") == nil)
        defaults.setValue(3, forKey: "count")
        #expect(defaults.value(forKey: "count") as? Int == 3 && defaults.integer(forKey: "count") == 3)
        let folder = try folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        try RecentFiles.remember(folder, in: defaults)
        #expect(try RecentFiles.recent(in: defaults)?.path == folder.path)
    }
}
