import Zoetrope

// AVFoundation, Core Media, Core Image and Core Animation as the example apps use them.

@MainActor
final class MediaCode {
    let player = AVPlayer()
    let queue = AVQueuePlayer(items: [])
    private var observations: [NSKeyValueObservation] = []
    private var token: Any?
    private var looper: AVPlayerLooper?
    private(set) var told: [String] = []

    /// Returns the size of the current frame.
    func size(of output: AVPlayerItemVideoOutput, at time: CMTime) -> CGSize? {
        guard let frame: CVPixelBuffer = output.copyPixelBuffer(forItemTime: time, itemTimeForDisplay: nil) else {
            return nil
        }
        let image: CVImageBuffer = frame
        return CGSize(width: CVPixelBufferGetWidth(image), height: CVPixelBufferGetHeight(image))
    }

    func open(_ url: URL) {
        let asset = AVURLAsset(url: url)
        let same: AVAsset = AVAsset(url: url)
        told.append("\(asset == asset) \(same == asset)")
        let item = AVPlayerItem(asset: asset)
        player.replaceCurrentItem(with: item)
        player.automaticallyWaitsToMinimizeStalling = true
        player.actionAtItemEnd = .none
        looper = AVPlayerLooper(player: queue, templateItem: AVPlayerItem(url: url))
        observations = [
            player.observe(\.rate, options: [.new, .old]) { [weak self] player, change in
                guard change.kind == .setting, !change.isPrior, change.indexes == nil else { return }
                self?.told.append("\(change.newValue ?? 0) \(player.rate)")
            },
            player.observe(\.timeControlStatus, options: [.initial, .new]) { player, _ in
                switch player.timeControlStatus {
                case .paused: break
                case .waitingToPlayAtSpecifiedRate:
                    if player.reasonForWaitingToPlay == .waitingForCoordinatedPlayback { break }
                case .playing: break
                @unknown default: break
                }
            },
            player.observe(\.currentItem?.duration) { _, _ in },
            item.observe(\.status) { item, _ in if item.status == .readyToPlay { item.step(byCount: 1) } },
        ]
        token = player.addPeriodicTimeObserver(
            forInterval: CMTime(seconds: 0.5, preferredTimescale: CMTimeScale(NSEC_PER_SEC)), queue: .main
        ) { [weak self] time in
            self?.told.append("\(CMTimeGetSeconds(time))")
        }
        let boundary = player.addBoundaryTimeObserver(
            forTimes: [NSValue(time: CMTime(value: 1, timescale: 1))], queue: .main
        ) {}
        player.removeTimeObserver(boundary)
        player.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero) { [weak self] finished in
            self?.told.append("\(finished)")
        }
        player.seek(to: CMTime(seconds: 1, preferredTimescale: 600))
        told.append(
            "\(item.canStepForward) \(item.canStepBackward) \(item.tracks.count) \(item.loadedTimeRanges.map { $0.timeRangeValue.duration.seconds })"
        )
        player.volume = 0.5
        player.isMuted = true
        player.defaultRate = 1
    }

    func stop() {
        if let token { player.removeTimeObserver(token) }
        observations.forEach { $0.invalidate() }
        looper?.disableLooping()
        player.pause()
    }

    func session() throws {
        try AVAudioSession.sharedInstance().setCategory(.playback)
        try AVAudioSession.sharedInstance().setCategory(.playback, mode: .moviePlayback, options: [])
        try AVAudioSession.sharedInstance().setActive(true)
    }

    func song(_ asset: AVAsset) async throws -> (title: String?, cover: Data?, lyrics: String?) {
        player.appliesMediaSelectionCriteriaAutomatically = true
        var (title, cover): (String?, Data?) = (nil, nil)
        for item in try await asset.load(.commonMetadata) {
            switch item.commonKey {
            case AVMetadataKey.commonKeyTitle?: title = try await item.load(.value) as? String
            case AVMetadataKey.commonKeyArtwork?: cover = try await item.load(.dataValue)
            default: told.append(try await item.load(.stringValue) ?? "")
            }
        }
        if let option = try await asset.loadMediaSelectionGroup(for: .audible)?.options.first {
            let name = option.commonMetadata.first { $0.commonKey?.rawValue == "title" }
            told.append(name?.stringValue ?? option.displayName)
        }
        let lyrics: String? = try await asset.load(.lyrics)
        return (title, cover, lyrics ?? asset.lyrics)
    }

    func thumbnails(_ asset: AVAsset) async throws -> [CGImage] {
        let generator = AVAssetImageGenerator(asset: asset)
        generator.appliesPreferredTrackTransform = true
        generator.maximumSize = CGSize(width: 160, height: 90)
        generator.requestedTimeToleranceBefore = .zero
        generator.apertureMode = .encodedPixels
        generator.videoComposition = AVVideoComposition(propertiesOf: asset)
        generator.generateCGImageAsynchronously(for: .zero) { image, time, error in
            print(image?.width ?? 0, time.seconds, error as Any)
        }
        generator.cancelAllCGImageGeneration()
        let image = try await generator.image(at: .zero).image
        guard let deviceImage = image.copy(colorSpace: CGColorSpaceCreateDeviceRGB()) else { return [] }
        var images = [deviceImage]
        for await result in generator.images(for: [.zero]) {
            switch result {
            case .success(requestedTime: _, let image, actualTime: _): images.append(image)
            case .failure(requestedTime: _, let error): throw error
            }
        }
        return images
    }

    func tracks(_ asset: AVURLAsset) async throws {
        let (duration, tracks) = try await asset.load(.duration, .tracks)
        print(duration.seconds, tracks.count)
        if let picture = tracks.first(where: { $0.mediaType == .video }) {
            let (size, rate, turn) = try await picture.load(.naturalSize, .nominalFrameRate, .preferredTransform)
            _ = (size.width, rate, turn.a)
        }
        guard let group = try await asset.loadMediaSelectionGroup(for: .legible) else { return }
        let options = AVMediaSelectionGroup.mediaSelectionOptions(
            from: group.options, filteredAndSortedAccordingToPreferredLanguages: ["en"])
        player.currentItem?.select(options.first, in: group)
        print(
            player.currentItem?.currentMediaSelection.selectedMediaOption(in: group)?.displayName ?? "",
            asset.preferredMediaSelection.asset as Any)
        for characteristic in asset.availableMediaCharacteristicsWithMediaSelectionOptions {
            print(asset.mediaSelectionGroup(forMediaCharacteristic: characteristic)?.options.count ?? 0)
        }
    }

    func metadata(_ item: AVPlayerItem) {
        let title = AVMutableMetadataItem()
        title.identifier = .commonIdentifierTitle
        title.value = "A film" as NSString
        title.extendedLanguageTag = "und"
        let genre = AVMutableMetadataItem()
        genre.identifier = .quickTimeMetadataGenre
        genre.value = "Drama"
        item.externalMetadata = [title, genre]
    }

    static let identifiers: [AVMetadataIdentifier] = [
        .commonIdentifierTitle, .iTunesMetadataTrackSubTitle, .iTunesMetadataContentRating, .quickTimeMetadataGenre,
    ]
    static let names: [Notification.Name] = [
        .AVPlayerItemDidPlayToEndTime, AVPlayerItem.didPlayToEndTimeNotification,
        AVAudioSession.interruptionNotification,
    ]
    static func fitted() -> CGRect {
        AVMakeRect(aspectRatio: CGSize(width: 16, height: 9), insideRect: CGRect(x: 0, y: 0, width: 100, height: 100))
    }
}

/// The titles of a radio station or stream, as apps follow them.
@MainActor
final class SongTitles: NSObject {
    private let player = AVPlayer()
    private let output = AVPlayerItemMetadataOutput(identifiers: nil)
    private(set) var title = ""

    func open(_ url: URL) {
        let item = AVPlayerItem(url: url)
        output.setDelegate(self, queue: DispatchQueue.main)
        output.advanceIntervalForDelegateInvocation = 0.5
        item.add(output)
        let markers = AVPlayerItemMetadataOutput(identifiers: [AVMetadataIdentifier.id3MetadataUserText.rawValue])
        item.add(markers)
        item.remove(markers)
        player.replaceCurrentItem(with: item)
        player.preroll(atRate: 1) { [weak self] finished in if finished { self?.player.play() } }
        player.cancelPendingPrerolls()
    }

    /// Returns how far the playback is behind the end of a live stream.
    func delay() -> Double {
        guard let live = player.currentItem?.seekableTimeRanges.last as? CMTimeRange else { return 0 }
        return CMTimeGetSeconds(CMTimeRangeGetEnd(live)) - player.currentTime().seconds
    }

    fileprivate func show(_ title: String) { self.title = title }
}

extension SongTitles: AVPlayerItemMetadataOutputPushDelegate {
    nonisolated func metadataOutput(
        _ output: AVPlayerItemMetadataOutput, didOutputTimedMetadataGroups groups: [AVTimedMetadataGroup],
        from track: AVPlayerItemTrack?
    ) {
        for item in groups.flatMap({ $0.items }) where item.commonKey == .commonKeyTitle {
            let text = item.stringValue ?? (item.value as? String) ?? ""
            Task { @MainActor in self.show(text) }
        }
    }
    nonisolated func outputSequenceWasFlushed(_ output: AVPlayerItemOutput) {
        print(output is AVPlayerItemMetadataOutput)
    }
}

/// A custom filter whose input is a stored property.
final class InvertTwice: CIFilter {
    var inputImage: CIImage?
    var inputIntensity: CGFloat = 1
    var inputTint: CIColor?
    override var outputImage: CIImage? {
        guard let inputImage, let filter = CIFilter(name: "CIColorInvert") else { return nil }
        filter.setValue(inputImage, forKey: kCIInputImageKey)
        return filter.outputImage
    }
}

enum PictureCode {
    @MainActor
    static func filters() -> [CIFilter] {
        let sepia = CIFilter.sepiaTone()
        sepia.intensity = 0.8
        let blur = CIFilter(name: "CIGaussianBlur", parameters: [kCIInputRadiusKey: 4])
        let mono = CIFilter(name: "CIColorMonochrome")
        mono?.setValue(CIColor(color: UIColor.red), forKey: kCIInputColorKey)
        mono?.setValue(0.5, forKey: kCIInputIntensityKey)
        return [sepia, blur, mono].compactMap { $0 }
    }

    @MainActor
    static func layer() -> CAShapeLayer {
        let layer = CAShapeLayer()
        let path = UIBezierPath(roundedRect: CGRect(x: 0, y: 0, width: 10, height: 10), cornerRadius: 2)
        layer.path = path.cgPath
        layer.strokeColor = UIColor.red.cgColor
        layer.fillColor = NSColor.clear.cgColor
        layer.lineWidth = 2
        layer.frame = CGRect(x: 0, y: 0, width: 10, height: 10)
        let animation = CABasicAnimation(keyPath: "strokeEnd")
        (animation.fromValue, animation.toValue, animation.duration) = (0, 1, 2)
        layer.add(animation, forKey: "draw")
        return layer
    }
}

/// A delegate for subtitles, whose method uses the type of the cues.
final class Captions: AVPlayerItemLegibleOutputPushDelegate {
    let output = AVPlayerItemLegibleOutput()
    private(set) var lines: [String] = []

    init(of item: AVPlayerItem) {
        output.setDelegate(self)
        item.add(output)
    }

    func legibleOutput(
        _ output: AVPlayerItemLegibleOutput, didOutputAttributedStrings strings: [AttributedString],
        cues: [WebVTTCue], forItemTime itemTime: CMTime
    ) {
        let isBelow: (WebVTTSettings) -> Bool = { $0.line == .automatic && $0.region as WebVTTRegion? == nil }
        let text: (WebVTTText) -> String = { $0.plain }
        lines += cues.filter { isBelow($0.settings) }.map { text($0.text) }
    }
}
