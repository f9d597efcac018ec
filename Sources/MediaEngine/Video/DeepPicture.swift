import CFFmpeg
import Glibc

/// A frame with 16 bits per channel, in its own primaries and transfer function, before conversion to those of the
/// screen.
package final class DeepPicture {
    /// The pixel format. libswscale writes its planes four times as fast as interleaved pixels.
    package static let format = AV_PIX_FMT_GBRP16LE
    package let width: Int, height: Int
    private let memory: UnsafeMutablePointer<UInt16>
    private let rowLength: Int

    /// Allocates the frame. Returns `nil` if memory is exhausted.
    package init?(width: Int, height: Int) {
        guard width > 0, height > 0 else { return nil }
        // Space for whole vectors of libswscale, in every row and after the last.
        rowLength = (width + 31) / 32 * 32
        let (count, overflow) = (rowLength * 3).multipliedReportingOverflow(by: height)
        guard !overflow, let memory = malloc((count + 64) * 2) else { return nil }
        self.memory = memory.bindMemory(to: UInt16.self, capacity: count + 64)
        (self.width, self.height) = (width, height)
    }

    deinit { free(memory) }

    /// The planes: green, blue, red, and `nil`.
    package var planes: [UnsafeMutablePointer<UInt8>?] {
        (0..<3).map { UnsafeMutableRawPointer(memory + $0 * rowLength * height).assumingMemoryBound(to: UInt8.self) }
            + [nil]
    }
    package var strides: [Int32] { [Int32](repeating: Int32(rowLength * 2), count: 3) + [0] }

    /// Draws the frame as 32-bit words, 0x00RRGGBB.
    package func map(by table: ToneTable, into target: UnsafeMutableRawPointer, stride: Int) {
        let plane = rowLength * height
        for y in 0..<height {
            let row = memory + y * rowLength
            table.draw(
                red: row + 2 * plane, green: row, blue: row + plane, count: width,
                into: (target + y * stride).assumingMemoryBound(to: UInt32.self))
        }
    }
}
