import Zoetrope

// Combine, Foundation, UIKit and os as the example apps use them.

@MainActor
final class SystemCode: ObservableObject {
    @Published var text = ""
    @Published private(set) var isPlaying = false
    @Published private(set) var seconds = 0.0
    private var cancellables = Set<AnyCancellable>()
    private let logger = Logger(subsystem: "org.zoetrope.tests", category: "contract")
    let timer = Timer.publish(every: 1, on: .main, in: .common).autoconnect()

    func follow(_ player: AVPlayer) {
        player.publisher(for: \.timeControlStatus)
            .receive(on: DispatchQueue.main)
            .sink { [weak self] status in self?.isPlaying = status == .playing }
            .store(in: &cancellables)
        player.publisher(for: \.currentItem?.duration)
            .compactMap { $0 }
            .map { CMTimeGetSeconds($0) }
            .assign(to: &$seconds)
        $text.debounce(for: .milliseconds(300), scheduler: DispatchQueue.main)
            .removeDuplicates()
            .sink { print($0) }
            .store(in: &cancellables)
        $text.throttle(for: 0.5, scheduler: RunLoop.main, latest: true).sink { _ in }.store(in: &cancellables)
        NotificationCenter.default.publisher(for: .AVPlayerItemDidPlayToEndTime, object: player.currentItem)
            .receive(on: RunLoop.main)
            .sink { [weak self] _ in self?.isPlaying = false }
            .store(in: &cancellables)
        logger.info("follows \(player.rate)")
        logger.error("for \(text, privacy: .private)")
    }

    func ends() async {
        for await _ in NotificationCenter.default.notifications(named: .AVPlayerItemDidPlayToEndTime) { return }
    }

    func request() async throws -> Data {
        let (data, _) = try await URLSession.shared.data(from: URL(fileURLWithPath: "/dev/null"))
        return data
    }

    static func time(
        _ seconds: Double, _ style: DateComponentsFormatter.UnitsStyle = .positional, isPadded: Bool = true
    ) -> String? {
        let formatter = DateComponentsFormatter()
        formatter.allowedUnits = seconds >= 3600 ? [.hour, .minute, .second] : [.minute, .second]
        formatter.unitsStyle = style
        if isPadded { formatter.zeroFormattingBehavior = .pad }
        return formatter.string(from: seconds)
    }

    static func device() -> Bool {
        UIDevice.current.orientation.isLandscape || UIDevice.current.userInterfaceIdiom == .pad
    }
    static let colors: [Color] = [
        Color(.systemGroupedBackground), Color(uiColor: .label), Color(nsColor: .windowBackgroundColor),
        Color("accent"),
    ]
    static func pictures(_ data: Data) -> Image? { UIImage(data: data).map { Image(uiImage: $0) } }
}

struct TimerPage: View {
    @StateObject private var code = SystemCode()
    var body: some View {
        Text(verbatim: code.text).onReceive(code.timer) { date in code.text = "\(date)" }
    }
}
