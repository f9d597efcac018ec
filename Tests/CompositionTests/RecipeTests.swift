import Foundation
import Testing

@testable import Filters

@Suite("Recipes")
struct RecipeTests {
    @Test("a bitmap accepts any size and fills missing pixels")
    func bitmaps() {
        #expect(ImageBitmap(width: 2, height: 1, pixels: [1, 2, 3]).pixels == [1, 2, 3, 0, 0, 0, 0, 0])
        #expect(ImageBitmap(width: -1, height: 3, pixels: [1]).pixels.isEmpty)
    }
}
