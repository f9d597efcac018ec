// A view model as in apps for Apple platforms, in Swift 5 mode without actor isolation. Half of the test is that it
// compiles without warnings.
import Foundation
import Zoetrope

final class PlayerViewModel: ObservableObject {
    @Published private(set) var isPlaying = false
    @Published private(set) var isReady = false
    @Published private(set) var seconds = 0.0
    @Published private(set) var length = 0.0
    @Published private(set) var buffered = 0.0
    @Published private(set) var ends = 0
    @Published private(set) var thumbnail: CGImage?

    let player = AVPlayer()
    private let logger = Logger(subsystem: "org.zoetrope.tests", category: "dialect")
    private var cancellables = Set<AnyCancellable>()
    private var observations: [NSKeyValueObservation] = []
    private var timeObserver: Any?
    private var boundary: Any?
    private(set) var passedMiddle = false

    init() {
        player.publisher(for: \.timeControlStatus)
            .receive(on: DispatchQueue.main)
            .map { $0 == .playing }
            .removeDuplicates()
            .assign(to: &$isPlaying)
        player.publisher(for: \.currentItem?.status)
            .sink { [weak self] status in self?.isReady = status == .readyToPlay }
            .store(in: &cancellables)
        // These values arrive only where Foundation's run loop runs, which a test process does not do (see
        // MainLoopTests).
        player.publisher(for: \.error)
            .receive(on: RunLoop.main)
            .debounce(for: .seconds(1), scheduler: RunLoop.main)
            .compactMap { $0 }
            .sink { [logger] error in logger.error("\(error.localizedDescription)") }
            .store(in: &cancellables)
        player.publisher(for: \.currentItem?.loadedTimeRanges)
            .compactMap { $0?.first?.timeRangeValue }
            .sink { [weak self] range in self?.buffered = CMTimeGetSeconds(range.end) }
            .store(in: &cancellables)
        observations.append(
            player.observe(\.currentItem?.duration, options: [.initial, .new]) { [weak self] player, change in
                guard let duration = change.newValue ?? nil, duration.isNumeric else { return }
                self?.length = duration.seconds
                self?.watchMiddle(of: duration)
            })
        timeObserver = player.addPeriodicTimeObserver(
            forInterval: CMTime(seconds: 0.1, preferredTimescale: CMTimeScale(NSEC_PER_SEC)), queue: .main
        ) { [weak self] time in
            self?.seconds = time.seconds
        }
        NotificationCenter.default.publisher(for: .AVPlayerItemDidPlayToEndTime)
            .filter { [weak self] note in (note.object as? AVPlayerItem) == self?.player.currentItem }
            .sink { [weak self] _ in self?.ends += 1 }
            .store(in: &cancellables)
        try? AVAudioSession.sharedInstance().setCategory(.playback, mode: .moviePlayback)
        logger.info("made for \(ProcessInfo.processInfo.processName, privacy: .public)")
    }

    private func watchMiddle(of duration: CMTime) {
        guard boundary == nil else { return }
        let middle = CMTimeMultiplyByFloat64(duration, multiplier: 0.5)
        boundary = player.addBoundaryTimeObserver(forTimes: [NSValue(time: middle)], queue: .main) { [weak self] in
            self?.passedMiddle = true
        }
    }

    func open(_ url: URL) {
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "A film"
        let item = AVPlayerItem(asset: AVAsset(url: url))
        item.externalMetadata = [title]
        player.replaceCurrentItem(with: item)
        let generator = AVAssetImageGenerator(asset: item.asset)
        generator.maximumSize = CGSize(width: 64, height: 64)
        generator.generateCGImageAsynchronously(for: .zero) { image, _, error in
            DispatchQueue.main.async { if error == nil { self.thumbnail = image } }
        }
    }

    func toggle() {
        if player.timeControlStatus == .paused { player.play() } else { player.pause() }
    }

    func close() {
        if let timeObserver { player.removeTimeObserver(timeObserver) }
        if let boundary { player.removeTimeObserver(boundary) }
        observations.forEach { $0.invalidate() }
        cancellables.removeAll()
        player.pause()
    }
}
