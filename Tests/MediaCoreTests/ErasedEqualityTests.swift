import Testing

@testable import MediaCore

@Suite("Equality of values of unknown types")
struct ErasedEqualityTests {
    private final class Thing {}
    private struct Plain { var number: Int }

    @Test("values compare with their own ==, and never across types")
    func equality() {
        #expect(ErasedEquality.areEqual(1, 1) == true)
        #expect(ErasedEquality.areEqual(1, 2) == false)
        #expect(ErasedEquality.areEqual(1, 1.0) == false)
        #expect(ErasedEquality.areEqual([1, 2], [1, 2]) == true)
        #expect(ErasedEquality.areEqual(Int?.none as Any, Int?.none as Any) == true)
        #expect(ErasedEquality.areEqual(Int?.none as Any, Int?.some(0) as Any) == false)
        #expect(ErasedEquality.areEqual(Plain(number: 1), Plain(number: 1)) == nil)
        #expect(ErasedEquality.areEqual(Thing(), 1) == nil)
    }

    @Test("only the same object is identical")
    func identity() {
        let thing = Thing()
        #expect(ErasedEquality.areIdentical(thing, thing))
        #expect(!ErasedEquality.areIdentical(thing, Thing()))
        #expect(!ErasedEquality.areIdentical("a", "a"))
        #expect(!ErasedEquality.areIdentical(thing, 1))
    }
}
