/// The state of a `RemoteFile` that is an internet radio.
struct RadioState {
    /// The current title, or nil if the station has not sent one yet.
    var title: String?
    var station: String?
    /// The titles that the reader has not reached yet, with the offset of the first byte after each.
    var titles: [(offset: Int64, title: String)] = []
    var onTitle: (@Sendable (String?) -> Void)?

    /// The text to show: the title, or the station's name if there is no title.
    var shown: String? { title.flatMap { $0.isEmpty ? nil : $0 } ?? station }
}

extension RemoteFile {
    /// Sets an observer for the title of an internet radio. Any thread.
    ///
    /// The observer is called immediately, on the calling thread, if a title or a station name is known. Later it is
    /// called on the loop whenever the text changes. nil removes the observer.
    package func setOnTitle(_ body: (@Sendable (String?) -> Void)?) {
        let (shown, _) = state.withLock { ($0.radio.shown, exchange(&$0.radio.onTitle, body)) }
        if let shown { body?(shown) }
    }

    /// The title of an internet radio, or else the station's name. nil if the file is not an internet radio or has sent
    /// neither.
    package var radioTitle: String? { state.read { $0.radio.shown } }

    /// Returns the titles that the station has sent before the byte at `offset`, each once, in order. Any thread.
    package func takeTitles(through offset: Int64) -> [String] {
        // Readers call this for each packet, and most files send no titles.
        guard hasReceivedTitle.load(ordering: .acquiring) else { return [] }
        return state.withLock { state in
            let count = state.radio.titles.prefix { $0.offset <= offset }.count
            defer { state.radio.titles.removeFirst(count) }
            return state.radio.titles.prefix(count).map(\.title)
        }
    }

    func didReceiveTitle(_ title: String) {
        state.withLock { state in
            let offset = state.plan.bodyPosition
            // A server that repeats the stream from its start also repeats its titles.
            state.radio.titles.removeAll { $0.offset >= offset }
            state.radio.titles = state.radio.titles.suffix(1023) + [(offset, title)]
        }
        hasReceivedTitle.store(true, ordering: .releasing)
        changeRadio { $0.title = title }
    }
    func didReceiveStation(_ name: String?) { if name != nil { changeRadio { $0.station = name } } }

    private func changeRadio(_ change: (inout RadioState) -> Void) {
        let (call, shown) = state.withLock { state in
            let old = state.radio.shown
            change(&state.radio)
            return (state.radio.shown != old ? state.radio.onTitle : nil, state.radio.shown)
        }
        call?(shown)
    }
}
