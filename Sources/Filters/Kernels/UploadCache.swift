import CEGL

/// Textures of pictures and tables that come from memory, by identity; kept while they are in use.
final class UploadCache {
    private struct Entry {
        let owner: AnyObject
        let texture: GLuint
        var lastUsed: Int
    }
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var frame = 0
    /// What lies unused for so many frames is freed: a list of filters that is switched to and fro stays.
    private static let patience = 60

    func texture(for bitmap: ImageBitmap) -> GLuint {
        texture(for: bitmap as AnyObject) { texture in
            zc_glAllocate(texture, 0, Int32(bitmap.width), Int32(bitmap.height))
            bitmap.pixels.withUnsafeBytes {
                zc_glUpload(texture, Int32(bitmap.width), Int32(bitmap.height), Int32(bitmap.width * 4), $0.baseAddress)
            }
        }
    }

    func texture(for table: ColorCubeTable) -> GLuint {
        // A recipe made anew brings an equal table, not the same.
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
        for (id, entry) in entries where entry.lastUsed < frame - UploadCache.patience {
            zc_glDeleteTexture(entry.texture)
            entries[id] = nil
        }
    }

    func close() {
        for entry in entries.values { zc_glDeleteTexture(entry.texture) }
        entries = [:]
    }
}
