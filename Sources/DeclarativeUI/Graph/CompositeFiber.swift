import Observation

/// The fiber of a view with a `body`: owns its dynamic properties and evaluates the body only when something
/// that the last evaluation read has changed, or the view's own value.
final class CompositeFiber<V: View>: _ViewFiber<V>, DependencyReader {
    private var properties = DynamicProperties()
    private var child: _ViewFiber<V.Body>?
    private var failure: _Fiber?
    private var locations: [any DependencySource] = []

    override init(_ view: V, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        properties.attach(to: view, of: self)
        evaluate()
    }

    override var children: [_Fiber] {
        if let failure { return [failure] }
        return child.map { [$0] } ?? []
    }

    override func update(_ view: V, _ environment: EnvironmentValues) {
        let isSame = self.environment.isSame(as: environment)
        let mustEvaluate = !ViewComparison.areSame(self.view, view)
        super.update(view, environment)
        properties.attach(to: view, of: self)
        if mustEvaluate || (!isSame && properties.environmentChanged(environment)) || graph.isInvalid(self) {
            evaluate()
        } else if !isSame, let child {
            child.update(child.view, environment)
        }
    }

    override func reevaluate() {
        guard !isRemoved else { return }
        evaluate()
    }

    private func evaluate() {
        graph.validated(self)
        stopReading()
        if let problem = properties.problem(environment) { return fail(problem) }
        if let failure {
            failure.remove()
            self.failure = nil
            structureChanged()
        }
        graph.evaluations += 1
        let body = Dependencies.tracking(self) {
            withObservationTracking { view.body } onChange: { [weak self] in
                // Told just before the change, on whatever thread makes it.
                OnMain.run { self?.invalidate() }
            }
        }
        properties.evaluated(environment)
        if let child {
            child.update(body, environment)
        } else {
            child = V.Body._makeFiber(body, inputs())
        }
    }

    private func fail(_ problem: String) {
        graph.log("\(V.self): \(problem)")
        child?.remove()
        child = nil
        failure?.remove()
        failure = Text._makeFiber(Text(verbatim: "⚠ \(problem)"), inputs())
        structureChanged()
    }

    // MARK: DependencyReader

    func didRead(_ source: any DependencySource) {
        guard source.addReader(self) else { return }
        locations.append(source)
    }

    func invalidate() {
        guard !isRemoved else { return }
        graph.invalidate(self)
    }

    private func stopReading() {
        for location in locations { location.removeReader(self) }
        locations = []
    }

    override func removed() {
        stopReading()
        properties.detach()
    }
}
