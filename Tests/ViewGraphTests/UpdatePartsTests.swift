import Testing

@_spi(Graph) @testable import ViewGraph

@Suite("Parts of an update")
struct UpdatePartsTests {
    @Test("actions run in the round after the evaluation that added them")
    func rounds() {
        var actions = UpdateActions()
        var log: [String] = []
        actions.add { log.append("first") }
        #expect(actions.hasAdded && !actions.hasRound)
        actions.evaluationDidEnd(Transaction(animation: .default))
        actions.evaluationDidEnd(Transaction())
        actions.add { log.append("second") }
        let round = actions.takeRound()
        #expect(round.count == 1 && round.first?.transaction.animation != nil)
        #expect(!actions.hasRound && actions.hasAdded)
        for batch in round { for action in batch.actions { action() } }
        #expect(log == ["first"])
    }

    @Test("removed actions do not run")
    func removing() {
        var actions = UpdateActions()
        actions.add {}
        actions.evaluationDidEnd(Transaction())
        actions.add {}
        let removed = actions.takeAll()
        #expect(!actions.hasAdded && !actions.hasRound)
        #expect(removed.hasAdded && removed.hasRound)
    }

    @Test("an update is scheduled once, and not while one runs")
    func scheduling() {
        var phase = UpdatePhase()
        var answers = [phase.schedule(), phase.schedule()]
        phase.flush()
        answers += [phase.begin(), phase.begin(), phase.schedule()]
        phase.end()
        answers.append(phase.schedule())
        #expect(answers == [true, false, true, false, false, true])
    }

    @Test("evaluations interrupt running actions")
    func pausing() {
        var phase = UpdatePhase()
        _ = phase.begin()
        phase.beginActions()
        let wasActing = phase.pauseActions()
        #expect(wasActing && !phase.isActing)
        phase.resumeActions(wasActing)
        #expect(phase.isActing)
        phase.endActions()
        let isActingLater = phase.pauseActions()
        phase.resumeActions(isActingLater)
        #expect(!isActingLater && !phase.isActing)
    }
}
