import Testing

@_spi(Graph) @testable import ViewGraph

@Suite("Parts of an element")
struct ElementPartsTests {
    @Test("children are laid out again after another size or a change")
    func layout() {
        var status = LayoutStatus()
        var answers = [true, true, false].map { status.place(isSameSize: $0) }
        status.invalidate()
        answers.append(status.place(isSameSize: true))
        #expect(status.isPlaced)
        status.detach()
        #expect(!status.isPlaced)
        answers.append(status.place(isSameSize: true))
        #expect(answers == [true, false, true, true, true])
    }

    @Test("a frame that is set without a layout needs one later")
    func assumedPlace() {
        var status = LayoutStatus()
        status.assumePlace()
        #expect(status.isPlaced)
        let mustLayOut = status.place(isSameSize: true)
        #expect(mustLayOut)
    }

    @Test("a moved element stays moved while it is hidden")
    func moving() {
        var status = LayoutStatus()
        status.move()
        status.updateDescendants(isHidden: true)
        #expect(status.hasMoved)
        status.updateDescendants()
        #expect(!status.hasMoved)
    }

    @Test("a change of the descendants discards whether one is a follower")
    func followers() {
        var status = LayoutStatus()
        #expect(status.containsFollower == nil)
        status.setContainsFollower(true)
        #expect(status.containsFollower == true)
        status.invalidate()
        #expect(status.containsFollower == nil)
    }

    @Test("an element's own direction takes precedence over its parent's")
    func direction() {
        var mirroring = Mirroring()
        var changes = [true, true].map { mirroring.inherit($0) }
        #expect(mirroring.isMirrored)
        mirroring.direction = .leftToRight
        changes.append(mirroring.inherit(true))
        #expect(!mirroring.isMirrored)
        mirroring.direction = nil
        changes.append(mirroring.inherit(true))
        #expect(mirroring.isMirrored && changes == [true, false, true, true])
    }

    @Test("an element that is inert itself stays inert")
    func inertness() {
        var inertness = Inertness()
        inertness.isOwn = true
        var changes = [true, false].map { inertness.inherit($0) }
        #expect(inertness.isInert)
        inertness.isOwn = false
        changes.append(inertness.inherit(false))
        #expect(!inertness.isInert)
        changes.append(inertness.inherit(true))
        #expect(inertness.isInert && changes == [true, false, true, true])
    }
}
