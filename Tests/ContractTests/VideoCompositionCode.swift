import FoundationNetworking
import Zoetrope

// Core Image handlers of video compositions, and the volume view, as apps for iOS use them.

@MainActor
final class FilteredFilm {
    let item: AVPlayerItem
    private let context = CIContext(options: [.workingColorSpace: "sRGB"])
    private var volume: NSKeyValueObservation?
    private(set) var level: Float = 0

    init(url: URL) {
        let asset = AVAsset(url: url)
        item = AVPlayerItem(asset: asset)
        let context = context
        item.videoComposition = AVVideoComposition(
            asset: asset,
            applyingCIFiltersWithHandler: { request in
                let source = request.sourceImage.clampedToExtent()
                guard let filter = CIFilter(name: "CIGaussianBlur") else {
                    return request.finish(with: FilterError.missing)
                }
                filter.setValue(source, forKey: kCIInputImageKey)
                filter.setValue(CMTimeGetSeconds(request.compositionTime) * 10.0, forKey: kCIInputRadiusKey)
                guard let output = filter.outputImage?.cropped(to: request.sourceImage.extent) else {
                    return request.finish(with: FilterError.missing)
                }
                request.finish(with: output, context: context)
            })
        volume = AVAudioSession.sharedInstance().observe(\.outputVolume, options: [.new]) {
            [weak self] session, change in
            self?.level = change.newValue ?? session.outputVolume
        }
    }

    enum FilterError: Error { case missing }

    func export(to url: URL) async throws {
        let asset: AVAsset = item.asset
        let square = AVMutableVideoComposition(asset: asset) { request in
            let size = request.renderSize
            let image = request.sourceImage.transformed(by: CGAffineTransform(translationX: -20, y: 0))
            request.finish(
                with: image.composited(over: CIImage(color: .black).cropped(to: CGRect(origin: .zero, size: size))),
                context: nil)
        }
        square.renderSize = CGSize(width: 720, height: 720)
        square.frameDuration = CMTime(value: 1, timescale: 30)
        guard let session = AVAssetExportSession(asset: asset, presetName: AVAssetExportPresetHighestQuality) else {
            return
        }
        session.videoComposition = square
        try await session.export(to: url, as: .mp4)
    }

    func load() async throws {
        item.videoComposition = try await AVVideoComposition.videoComposition(with: item.asset) { request in
            request.finish(with: request.sourceImage.applyingFilter("CIPhotoEffectNoir"), context: nil)
        }
        let changed: AVMutableVideoComposition = try await AVMutableVideoComposition.videoComposition(
            with: item.asset,
            applyingCIFiltersWithHandler: { $0.finish(with: $0.sourceImage, context: nil) })
        changed.renderScale = 1
        AVVideoComposition.videoComposition(
            with: item.asset,
            applyingCIFiltersWithHandler: { $0.finish(with: $0.sourceImage, context: nil) }
        ) { composition, error in
            print(composition?.renderSize ?? .zero, error as Any)
        }
        AVMutableVideoComposition.videoComposition(
            with: item.asset,
            applyingCIFiltersWithHandler: { $0.finish(with: $0.sourceImage, context: nil) }
        ) { composition, _ in
            composition?.renderSize = CGSize(width: 640, height: 360)
        }
    }
}

/// Films that follow each other with a fade, as editors make them.
@MainActor
enum FadedFilms {
    static func join(_ films: [AVAsset], into size: CGSize) async throws -> AVPlayerItem {
        let composition = AVMutableComposition()
        let instruction = AVMutableVideoCompositionInstruction()
        for film in films {
            guard let source = try await film.loadTracks(withMediaType: .video).first,
                let track = composition.addMutableTrack(
                    withMediaType: .video, preferredTrackID: kCMPersistentTrackID_Invalid)
            else { continue }
            let start = composition.duration
            let range = CMTimeRangeMake(start: .zero, duration: try await film.load(.duration))
            try track.insertTimeRange(range, of: source, at: start)
            let layer = AVMutableVideoCompositionLayerInstruction(assetTrack: track)
            let (natural, turn) = try await source.load(.naturalSize, .preferredTransform)
            let scale = size.width / natural.width
            layer.setTransform(turn.concatenating(CGAffineTransform(scaleX: scale, y: scale)), at: start)
            layer.setOpacityRamp(
                fromStartOpacity: 1.0, toEndOpacity: 0.0,
                timeRange: CMTimeRange(
                    start: composition.duration - CMTime(value: 1, timescale: 1), end: composition.duration))
            layer.setOpacity(0, at: composition.duration)
            layer.setCropRectangle(CGRect(origin: .zero, size: natural), at: start)
            instruction.layerInstructions.append(layer)
        }
        instruction.timeRange = CMTimeRange(start: .zero, duration: composition.duration)
        instruction.backgroundColor = UIColor.black.cgColor
        let videoComposition = AVMutableVideoComposition()
        videoComposition.instructions = [instruction]
        videoComposition.renderSize = size
        videoComposition.frameDuration = CMTime(value: 1, timescale: 30)
        let same = AVMutableVideoComposition(propertiesOf: composition)
        print(same.instructions.count, (same.instructions.first as? AVVideoCompositionInstruction)?.timeRange as Any)
        let item = AVPlayerItem(asset: composition)
        item.videoComposition = videoComposition
        return item
    }
}

/// A delegate that keeps the loading requests until their data is there.
final class FilmVault: NSObject, AVAssetResourceLoaderDelegate {
    @MainActor static func item(_ url: URL, _ vault: FilmVault) -> AVPlayerItem {
        let asset = AVURLAsset(url: url)
        asset.resourceLoader.setDelegate(vault, queue: .main)
        return AVPlayerItem(asset: asset)
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader,
        shouldWaitForLoadingOfRequestedResource loadingRequest: AVAssetResourceLoadingRequest
    ) -> Bool {
        guard let url = loadingRequest.request.url, let request = loadingRequest.dataRequest else { return false }
        loadingRequest.contentInformationRequest?.contentType = AVFileType.mp4.rawValue
        loadingRequest.contentInformationRequest?.contentLength = 4
        loadingRequest.contentInformationRequest?.isByteRangeAccessSupported = true
        guard request.currentOffset == request.requestedOffset, !request.requestsAllDataToEndOfResource else {
            loadingRequest.finishLoading(with: URLError(.badURL))
            return true
        }
        loadingRequest.redirect = URLRequest(url: url)
        loadingRequest.response = nil
        request.respond(with: Data(repeating: 0, count: request.requestedLength))
        if !loadingRequest.isFinished { loadingRequest.finishLoading() }
        return true
    }

    func resourceLoader(
        _ resourceLoader: AVAssetResourceLoader, didCancel loadingRequest: AVAssetResourceLoadingRequest
    ) {}
}

struct VolumeBar: UIViewRepresentable {
    func makeUIView(context: Context) -> MPVolumeView {
        let view = MPVolumeView(frame: .zero)
        view.showsRouteButton = false
        view.showsVolumeSlider = true
        view.setVolumeThumbImage(UIImage(systemName: "circle.fill"), for: .normal)
        return view
    }
    func updateUIView(_ uiView: MPVolumeView, context: Context) {}
}

/// A volume view that changes the layout, and an app's own control of the volume through the view's slider.
final class NarrowVolumeView: MPVolumeView {
    override func volumeSliderRect(forBounds bounds: CGRect) -> CGRect {
        super.volumeSliderRect(forBounds: bounds).insetBy(dx: 8, dy: 0)
    }

    func setVolume(_ volume: Float) {
        let slider = subviews.first(where: { $0 is UISlider }) as? UISlider
        slider?.value = volume
        slider?.setValue(volume, animated: false)
    }
}
