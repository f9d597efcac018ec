import CEGL
import Filters
import MediaEngine

/// The texture of a frame with alpha in its own size.
///
/// The context must be current whenever a texture is created, used or deleted.
struct FlatTexture {
    let name: GLuint
    private var size = (width: 0, height: 0)
    /// Whether the texture contains the current frame.
    private(set) var isUsed = false

    init() { name = zc_glGenTexture() }

    /// Starts a frame, which is not in the texture yet.
    mutating func begin() { isUsed = false }

    /// Gives the texture a size in pixels.
    mutating func allocate(_ width: Int, _ height: Int) {
        guard size != (width, height) else { return }
        zc_glAllocate(name, 0, Int32(width), Int32(height))
        size = (width, height)
    }

    /// Records that the texture contains the current frame.
    mutating func use() { isUsed = true }

    func delete() { zc_glDeleteTexture(name) }
}

/// The texture with the tables of tone mapping.
struct ToneLookup {
    private let name: GLuint
    /// The tables in the texture.
    private var tone: ToneTexture?

    init() { name = zc_glGenTexture() }

    /// Sets the tables and numbers of a tone mapping in an active program.
    /// - Parameter unit: The texture unit of the tables.
    mutating func prepare(_ map: ToneMap, _ program: GLuint, unit: Int) {
        zc_glInt(zc_glLocation(program, "toneTable"), Int32(unit))
        if tone?.map != map {
            let new = ToneTexture(map)
            zc_glUploadTable(Int32(unit), name, Int32(ToneTexture.width), Int32(ToneTexture.height), new.values)
            tone = new
        } else {
            zc_glBindTexture(Int32(unit), 0, name)
        }
        guard var matrix = tone?.matrix, var weights = tone?.weights, var scales = tone?.scales else { return }
        zc_glMatrix(zc_glLocation(program, "toneMatrix"), 3, &matrix)
        zc_glFloats(zc_glLocation(program, "toneWeights"), 4, &weights)
        zc_glFloats(zc_glLocation(program, "toneScales"), 4, &scales)
    }

    func delete() { zc_glDeleteTexture(name) }
}
