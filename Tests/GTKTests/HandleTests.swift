import CGTK
import Testing

@testable import GTK

/// Tests with objects that need no display.
@MainActor
@Suite("Handles of GTK's objects") struct HandleTests {
    private func makeAdjustment() -> GTKAdjustment { GTKAdjustment(gtk_adjustment_new(1, 0, 100, 1, 10, 0)) }

    @Test("a cast succeeds only to classes of the object")
    func casts() {
        let reference = GTKReference(makeAdjustment())
        #expect(reference.object.as(GTKAdjustment.self)?.value == 1)
        #expect(!reference.object.isKind(GTKLabel.self) && reference.object.as(GTKWidget.self) == nil)
    }

    @Test("an object is freed with its last reference")
    func references() {
        var freed = 0
        let adjustment = makeAdjustment()
        var first: GTKReference? = GTKReference(adjustment)
        var second: GTKReference? = GTKReference(adjustment)
        adjustment.whenFreed { freed += 1 }
        first = nil
        #expect(freed == 0 && second?.object == adjustment)
        second = nil
        #expect(freed == 1 && first == nil)
    }

    @Test("a floating reference becomes the first owner's")
    func floating() {
        let adjustment = makeAdjustment()
        #expect(g_object_is_floating(adjustment.objectPointer) != 0)
        let reference = GTKReference(adjustment)
        #expect(g_object_is_floating(reference.object.objectPointer) == 0)
    }

    @Test("a mark is found only on its own object")
    func marks() {
        let mark = GTKMark("zoetrope-test")
        let (one, other) = (GTKReference(makeAdjustment()), GTKReference(makeAdjustment()))
        mark.set(on: one.object)
        #expect(mark.isSet(on: one.object) && !mark.isSet(on: other.object))
    }

    @Test("properties are read and written")
    func properties() {
        let reference = GTKReference(makeAdjustment())
        reference.object.value = 7
        #expect(reference.object.value == 7)
    }

    @Test("versions are compared by minor number")
    func versions() {
        #expect(GTKVersion.isAtLeast(minor: gtk_get_minor_version()))
        #expect(!GTKVersion.isAtLeast(minor: gtk_get_minor_version() + 1))
    }
}
