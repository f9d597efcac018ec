import Composition
import Foundation
import Testing

@Suite("A recipe")
struct RecipeTests {
    @Test("takes a bitmap of any size and fills up what is missing")
    func bitmaps() {
        #expect(ImageBitmap(width: 2, height: 1, pixels: [1, 2, 3]).pixels == [1, 2, 3, 0, 0, 0, 0, 0])
        #expect(ImageBitmap(width: -1, height: 3, pixels: [1]).pixels.isEmpty)
    }
}
