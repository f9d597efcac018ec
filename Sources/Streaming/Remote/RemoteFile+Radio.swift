/// What a `RemoteFile` knows of an internet radio.
struct RadioState {
    /// What it plays, as it says; nil: it has said nothing yet.
    var title: String?
    var station: String?
    var onTitle: (@Sendable (String?) -> Void)?

    /// What is shown: the title, else the station's name.
    var shown: String? { title.flatMap { $0.isEmpty ? nil : $0 } ?? station }
}

extension RemoteFile {
    /// Calls `body` with what an internet radio plays: now, if that is known, and on the loop when it changes. Nil ends
    /// the calls. Any thread.
    package func setOnTitle(_ body: (@Sendable (String?) -> Void)?) {
        let (shown, _) = state.withLock { ($0.radio.shown, exchange(&$0.radio.onTitle, body)) }
        if let shown { body?(shown) }
    }

    /// What an internet radio plays, else its name; nil: it is none, or has said nothing.
    package var radioTitle: String? { state.read { $0.radio.shown } }

    func titleCame(_ title: String) { changeRadio { $0.title = title } }
    func stationCame(_ name: String?) { if name != nil { changeRadio { $0.station = name } } }

    private func changeRadio(_ change: (inout RadioState) -> Void) {
        let (call, shown) = state.withLock { state in
            let old = state.radio.shown
            change(&state.radio)
            return (state.radio.shown != old ? state.radio.onTitle : nil, state.radio.shown)
        }
        call?(shown)
    }
}
