import Filters
import Testing

@Suite struct CIColorTests {
    @Test func aColourOfCoreGraphicsIsTheSameColour() {
        let color = CGColor(red: 0.25, green: 0.5, blue: 0.75, alpha: 0.5)
        #expect(CIColor(color: color) == CIColor(red: 0.25, green: 0.5, blue: 0.75, alpha: 0.5))
        #expect(CIColor(cgColor: .white) == .white)
    }

    /// Every input key constant names a parameter of some filter.
    @Test func keysNameParameters() throws {
        let known = Set(CIFilter.filterNames(inCategory: nil).flatMap { CIFilter(name: $0)?.inputKeys ?? [] })
        for key in [
            kCIInputColor0Key, kCIInputColor1Key, kCIInputPoint0Key, kCIInputPoint1Key, kCIInputRadius0Key,
            kCIInputRadius1Key,
        ] {
            #expect(known.contains(key), "\(key)")
        }
    }
}
