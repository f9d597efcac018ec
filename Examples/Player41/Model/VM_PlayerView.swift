import Zoetrope

@MainActor
final class VM_PlayerView: ObservableObject {
    @Published var song: SongModel { didSet { renew() } }
    @Published var player: AVPlayer?
    @Published var playerStatus = Enum_PlayerState.paused
    /// The position in seconds, updated every second. The slider also sets this property.
    @Published var currentTime = 0.0
    /// The duration, in seconds.
    @Published var totalDuration = 0.0
    /// The end of the buffer as a fraction of the duration, from 0 to 1; 1 if less than half a second is missing.
    @Published var bufferProgress = 0.0
    /// The seconds to buffer ahead. The value is read when the player is created.
    @Published var maxBufferDuration = 30.0

    private var cancellables: Set<AnyCancellable> = []
    private var timeObserver: Any?

    init(song: SongModel = SongModel()) {
        self.song = song
        player = song.url.map { AVPlayer(url: $0) }
        player?.currentItem?.preferredForwardBufferDuration = maxBufferDuration
        listen()
    }

    private func renew() {
        stopListening()
        player?.pause()
        player = song.url.map { AVPlayer(url: $0) }
        player?.currentItem?.preferredForwardBufferDuration = maxBufferDuration
        (currentTime, totalDuration, bufferProgress, playerStatus) = (0, 0, 0, .paused)
        listen()
    }

    private func stopListening() {
        cancellables = []
        if let timeObserver { player?.removeTimeObserver(timeObserver) }
        timeObserver = nil
    }

    private func listen() {
        guard let player else { return }
        timeObserver = player.addPeriodicTimeObserver(
            forInterval: CMTime(seconds: 1, preferredTimescale: CMTimeScale(NSEC_PER_SEC)), queue: .main
        ) { [weak self] time in
            MainActor.assumeIsolated { self?.currentTime = time.seconds.isFinite ? time.seconds : 0 }
        }
        player.publisher(for: \.timeControlStatus).sink { [weak self] status in
            switch status {
            case .playing: self?.playerStatus = .playing
            case .paused: self?.playerStatus = .paused
            case .waitingToPlayAtSpecifiedRate: self?.playerStatus = .loading
            @unknown default: break
            }
        }.store(in: &cancellables)
        player.publisher(for: \.status).sink { [weak self] status in
            if status == .failed { self?.playerStatus = .error("the video can’t be played") }
        }.store(in: &cancellables)
        player.publisher(for: \.currentItem?.error).sink { [weak self] error in
            if let error = error ?? nil { self?.playerStatus = .error(error.localizedDescription) }
        }.store(in: &cancellables)
        player.publisher(for: \.currentItem?.duration).sink { [weak self] duration in
            if let seconds = duration?.seconds, seconds.isFinite { self?.totalDuration = seconds }
        }.store(in: &cancellables)
        player.publisher(for: \.currentItem?.loadedTimeRanges).sink { [weak self] ranges in
            self?.takeLoaded(ranges)
        }.store(in: &cancellables)
    }

    private func takeLoaded(_ ranges: [NSValue]?) {
        guard let range = ranges?.first?.timeRangeValue, totalDuration > 0 else {
            bufferProgress = 0
            return
        }
        let end = CMTimeGetSeconds(range.start) + CMTimeGetSeconds(range.duration)
        guard end.isFinite else { return }
        bufferProgress = totalDuration - end < 0.5 ? 1 : min(1, max(0, end / totalDuration))
    }

    /// Seeks to the exact position.
    func seek(to time: Double) {
        player?.seek(to: CMTime(seconds: time, preferredTimescale: 1), toleranceBefore: .zero, toleranceAfter: .zero)
    }
    func play() { player?.play() }
    func pause() { player?.pause() }
}
