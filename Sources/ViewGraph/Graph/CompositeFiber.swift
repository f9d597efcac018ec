/// The fiber of a view with a `body`.
///
/// It owns the view's dynamic properties. It evaluates the body only if the view's value has changed, or a value that
/// the last evaluation read.
final class CompositeFiber<V: View>: _ViewFiber<V> {
    private var properties = DynamicProperties()
    private let reads = TrackedReads()
    private var child: _ViewFiber<V.Body>?
    private var failure: _Fiber?

    override init(_ view: V, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        reads.whenChanged { [weak self] in
            if let self, !isRemoved { graph.invalidate(self) }
        }
        properties.attach(to: view, of: self, reads)
        evaluate()
    }

    override var children: [_Fiber] {
        if let failure { return [failure] }
        return child.map { [$0] } ?? []
    }

    override func update(_ view: V, _ environment: EnvironmentValues) {
        let isSame = self.environment.isSame(as: environment)
        let mustEvaluate = !properties.areComparable || !ViewComparison.areSame(self.view, view)
        super.update(view, environment)
        properties.attach(to: view, of: self, reads)
        if mustEvaluate || (!isSame && properties.environmentChanged(environment)) || reads.isOutOfDate {
            evaluate()
        } else if !isSame, let child {
            // The last evaluation has recorded all reads below.
            Dependencies.untracked { child.update(child.view, environment) }
        }
    }

    override func reevaluate() {
        guard !isRemoved, reads.isOutOfDate else { return }
        evaluate()
    }

    private func evaluate() {
        graph.validated(self)
        reads.removeAll()
        if let problem = properties.problem(environment) { return fail(problem) }
        let hadFailed = failure != nil
        failure?.remove()
        failure = nil
        graph.evaluations += 1
        let body = reads.evaluate { view.body }
        properties.evaluated(environment)
        reads.trackDescendants {
            if let child {
                child.update(body, environment)
            } else {
                child = V.Body._makeFiber(body, inputs())
            }
        }
        if hadFailed { structureChanged() }
    }

    private func fail(_ problem: String) {
        graph.log("\(V.self): \(problem)")
        properties.evaluated(environment)
        child?.remove()
        child = nil
        failure?.remove()
        failure = graph.makeNotice("⚠ \(problem)", inputs())
        structureChanged()
    }

    override func removed() { reads.removeAll() }
}
