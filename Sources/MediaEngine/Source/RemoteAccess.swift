import MediaCore
import Streaming
import Synchronization

/// The session or the file from which a remote entry plays, and the settings of the session. They are kept until the
/// session exists. Thread-safe.
struct RemoteAccess: ~Copyable, Sendable {
    private let opened = Mutex<(session: HLSSession?, file: RemoteFile?)>((nil, nil))
    private let chosenLimits = Mutex(AdaptationLimits())
    private let chosenSubtitles = Mutex(StreamSelection.Choice.automatic)
    private let subtitles: ItemSubtitles

    /// Creates access without a session or a file.
    ///
    /// - Parameter subtitles: The subtitles of the entry, which get the cues of the session.
    init(subtitles: ItemSubtitles) { self.subtitles = subtitles }

    /// The session of an HLS stream.
    var session: HLSSession? {
        get { opened.withLock { $0.session } }
        nonmutating set {
            opened.withLock { $0.session = newValue }
            updateSubtitles()
        }
    }

    /// The remote file being read.
    var file: RemoteFile? {
        get { opened.withLock { $0.file } }
        nonmutating set { opened.withLock { $0.file = newValue } }
    }

    /// The limits of the variants of a stream.
    var limits: AdaptationLimits { chosenLimits.withLock { $0 } }

    /// Changes the limits.
    func limit(_ change: (inout AdaptationLimits) -> Void) {
        let (old, new) = chosenLimits.withLock { limits in
            let old = limits
            change(&limits)
            return (old, limits)
        }
        if new != old { session?.setLimits(new) }
    }

    /// Selects the subtitles of a stream.
    func setSubtitles(_ choice: StreamSelection.Choice) {
        chosenSubtitles.withLock { $0 = choice }
        updateSubtitles()
    }

    private func updateSubtitles() {
        guard let session else { return }
        subtitles.stream = session
        session.setOnCues { [subtitles] in subtitles.changed() }
        session.setSubtitles(chosenSubtitles.withLock { $0 })
    }
}
