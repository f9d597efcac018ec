import Overlays

/// The blending of a cover into frames, with a copy of the frame's pixels below the cover.
///
/// If the cover changes while the frame stays, only its rectangles are blended again. The video is neither converted
/// nor scaled again.
@MainActor
final class CoverBlend {
    private var cover = VideoCover()
    private var patches: [Patch] = []

    /// The pixels of the frame below tiles, without the cover.
    private struct Patch {
        let area: PicturePainter.Area
        var pixels: [UInt32]
    }

    /// The memory of the frame into which the cover is blended.
    struct Target {
        /// The area of the frame in the view's space, in device pixels.
        let area: PicturePainter.Area
        /// The first pixel, in the format BGRX.
        let pixels: UnsafeMutableRawPointer
        /// The number of bytes per row.
        let stride: Int
        func row(_ y: Int, from x: Int) -> UnsafeMutableRawPointer { pixels + (y - area.y) * stride + (x - area.x) * 4 }
    }

    /// Blends `cover` into a frame that was just painted.
    func lay(_ cover: VideoCover, over target: Target) {
        self.cover = cover
        let areas = PicturePainter.Area.apart(cover.tiles.compactMap { $0.part(of: target.area) })
        if areas != patches.map(\.area) {
            patches = areas.map { Patch(area: $0, pixels: [UInt32](repeating: 0, count: $0.width * $0.height)) }
        }
        for index in patches.indices { save(&patches[index], target) }
        for patch in patches { blend(cover, target, patch.area) }
    }

    /// Replaces the cover of the same frame by `cover`.
    /// - Returns: The areas in which the frame has changed.
    func change(to cover: VideoCover, in target: Target) -> [PicturePainter.Area] {
        let old = self.cover.tiles.filter { !cover.tiles.contains($0) }
        let new = cover.tiles.filter { !self.cover.tiles.contains($0) }
        let changed = PicturePainter.Area.apart((old + new).compactMap { $0.part(of: target.area) })
        for patch in patches { restore(patch, target) }
        lay(cover, over: target)
        return changed
    }

    /// Discards the kept pixels, because the frame is no longer displayed.
    func forget() {
        cover = VideoCover()
        patches = []
    }

    private func save(_ patch: inout Patch, _ target: Target) {
        let area = patch.area
        patch.pixels.withUnsafeMutableBytes { kept in
            guard let to = kept.baseAddress else { return }
            for row in 0..<area.height {
                (to + row * area.width * 4).copyMemory(
                    from: target.row(area.y + row, from: area.x), byteCount: area.width * 4)
            }
        }
    }

    private func restore(_ patch: Patch, _ target: Target) {
        let area = patch.area
        patch.pixels.withUnsafeBytes { kept in
            guard let from = kept.baseAddress else { return }
            for row in 0..<area.height {
                target.row(area.y + row, from: area.x).copyMemory(
                    from: from + row * area.width * 4, byteCount: area.width * 4)
            }
        }
    }

    private func blend(_ cover: VideoCover, _ target: Target, _ area: PicturePainter.Area) {
        for tile in cover.tiles where tile.share > 0 {
            OverlayBlend.draw(
                tile.bitmap, over: target.row(area.y, from: area.x), x: area.x, y: area.y, width: area.width,
                height: area.height,
                stride: target.stride, share: tile.share)
        }
    }
}
