import MediaCore

/// Rungs that a machine is too slow for.
extension HLSSession {
    /// How long they are avoided: what else the machine had to do may be over then.
    private static let avoidance: Int64 = 60_000_000_000

    /// The rung being shown cannot be decoded in time: it and all that have as many pixels are avoided for a minute,
    /// as long as there is a smaller one. Any thread.
    package func decodingIsTooSlow() {
        loop.perform { self.avoidPresentSize() }
    }

    private func avoidPresentSize() {
        guard let sources = presentation?.sources, let rung = currentRung, sources.indices.contains(rung) else {
            return
        }
        func demand(_ index: Int) -> Double {
            let own = sources[index].rung
            return Double(own.resolution.map { $0.width * $0.height } ?? 0) * (own.frameRate ?? 30)
        }
        let heavy = Set(sources.indices.filter { demand($0) >= demand(rung) })
        guard heavy.count < sources.count, !heavy.isSubset(of: tooSlow) else { return }
        tooSlow.formUnion(heavy)
        limitChoice()
        loop.schedule(at: loop.now + HLSSession.avoidance) { [weak self] in
            guard let self else { return }
            self.tooSlow.subtract(heavy)
            self.limitChoice()
        }
    }

    /// The choice's limits: what the player asks, without what the machine cannot.
    func limitChoice() {
        var all = limits
        all.excluded.formUnion(tooSlow)
        choice?.limits = all
        decided = nil
    }
}
