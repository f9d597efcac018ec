import CEGL

/// A cache of textures for bitmaps and tables in memory, by identity. Textures stay while they are used.
final class UploadCache {
    private struct Entry {
        let owner: AnyObject
        let texture: GLuint
        var lastUsed: Int
    }
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var frame = 0
    /// The number of frames after which an unused texture is freed. Long enough for switching between lists of filters.
    private static let maximumIdleFrames = 60

    func texture(for bitmap: ImageBitmap) -> GLuint {
        texture(for: bitmap as AnyObject) { texture in
            zc_glAllocate(texture, 0, Int32(bitmap.width), Int32(bitmap.height))
            bitmap.pixels.withUnsafeBytes {
                zc_glUpload(texture, Int32(bitmap.width), Int32(bitmap.height), Int32(bitmap.width * 4), $0.baseAddress)
            }
        }
    }

    func texture(for table: ColorCubeTable) -> GLuint {
        // A recipe that is created again has an equal table, but not the same object.
        if entries[ObjectIdentifier(table)] == nil,
            let known = entries.values.lazy.compactMap({ $0.owner as? ColorCubeTable }).first(where: { $0 == table })
        {
            return texture(for: known)
        }
        return texture(for: table as AnyObject) { texture in zc_glUploadCube(texture, Int32(table.size), table.entries)
        }
    }

    private func texture(for owner: AnyObject, upload: (GLuint) -> Void) -> GLuint {
        let id = ObjectIdentifier(owner)
        if let entry = entries[id] {
            entries[id]?.lastUsed = frame
            return entry.texture
        }
        let texture = zc_glGenTexture()
        upload(texture)
        entries[id] = Entry(owner: owner, texture: texture, lastUsed: frame)
        return texture
    }

    func trim() {
        frame += 1
        for (id, entry) in entries where entry.lastUsed < frame - UploadCache.maximumIdleFrames {
            zc_glDeleteTexture(entry.texture)
            entries[id] = nil
        }
    }
}
