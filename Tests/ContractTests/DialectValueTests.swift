import TestSupport
import Testing
import Zoetrope

/// Tests of DeclarativeUI's API, as far as values show it. The rest is tested by compiling the other files in this
/// folder.
@Suite("The API that the example apps use") @MainActor
struct DialectValueTests {
    @Test("gesture types can be named, stored and assigned")
    func gestures() {
        let model = GestureModel()
        model.drag = DragGesture().onChanged { _ in }.onEnded { _ in }
        #expect(model.place != nil && model.turn != nil)
        #expect(type(of: model.both) == SimultaneousGesture<MagnificationGesture, RotationGesture>.self)
        #expect(type(of: DragGesture().onChanged { _ in }.onEnded { _ in }) == GestureModel.Drag.self)
    }

    @Test("AVMakeRect keeps an image's aspect ratio inside a rectangle")
    func fit() {
        #expect(MediaCode.fitted() == CGRect(x: 0, y: 21.875, width: 100, height: 56.25))
    }

    @Test("a CIFilter subclass declares inputs as properties, set by key or type")
    func filter() throws {
        let filter = InvertTwice()
        let red = CIImage(color: CIColor(red: 1, green: 0, blue: 0)).cropped(
            to: CGRect(x: 0, y: 0, width: 1, height: 1))
        #expect(filter.outputImage == nil)
        filter.setValue(red, forKey: kCIInputImageKey)
        #expect(filter.inputImage != nil && filter.outputImage?.extent == red.extent)
        (filter as CIFilter).inputImage = nil
        #expect(filter.inputImage == nil && filter.outputImage == nil && filter.value(forKey: kCIInputImageKey) == nil)
        (filter as CIFilter).inputImage = red
        #expect(filter.inputImage === red && (filter as CIFilter).inputImage === red)
        filter.setValue(2, forKey: kCIInputIntensityKey)
        filter.setValue(CIColor.red, forKey: "inputTint")
        #expect(filter.inputIntensity == 2 && filter.inputTint == .red && filter.problems.isEmpty)
        filter.setValue("much", forKey: kCIInputIntensityKey)
        #expect(
            filter.inputIntensity == 2
                && filter.problems.contains { $0.contains("inputIntensity") && $0.contains("much") })
        #expect(PictureCode.filters().map(\.name) == ["CISepiaTone", "CIGaussianBlur", "CIColorMonochrome"])
    }

    @Test("UIColor, Color, CGColor and CIColor convert into each other")
    func colors() {
        #expect(
            UIColor.red.cgColor == CGColor(red: 1, green: 0, blue: 0, alpha: 1)
                && UIColor(cgColor: .white).cgColor == .white)
        #expect(CIColor(color: UIColor.red) == CIColor(red: 1, green: 0, blue: 0) && CIColor(color: .clear).alpha == 0)
        #expect(
            Color(cgColor: .black) == Color(white: 0) && Color(white: 1).cgColor == .white
                && Color.accentColor.cgColor == nil)
        #expect(PictureCode.layer().strokeColor == UIColor.red.cgColor)
    }

    @Test("an Image of a video frame has its size and is Equatable")
    func frames() async throws {
        let frame = try await AVAssetImageGenerator(asset: AVURLAsset(url: try TestMedia.url("counter-video.mp4")))
            .image(at: .zero).image
        let size = UIImage(cgImage: frame, scale: 2).size
        #expect(
            size == CGSize(width: frame.presentationSize.width / 2, height: frame.presentationSize.height / 2)
                && size.width > 0)
        let one = Image(frame, scale: 1, label: Text("Frame"))
        #expect(
            one == Image(frame, scale: 1, label: Text("Frame")) && one != Image(frame, scale: 2, label: Text("Frame")))
        #expect(Image(decorative: frame, scale: 1) != one)
    }

    @Test("constants have the numbers and names of Apple's")
    func names() {
        #expect(Set(MediaCode.identifiers).count == 4 && Set(MediaCode.names).count == 2)
        #expect(NSEC_PER_SEC == 1_000_000_000 && CMTimeScale(NSEC_PER_SEC) > 0)
        let range = NSValue(timeRange: CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 1)))
        #expect(range.timeRangeValue.duration.seconds == 1)
        #expect(
            ToolbarItemPlacement.bottomOrnament == .bottomOrnament
                && NavigationBarItem.TitleDisplayMode.inline != .large)
    }

    @Test("durations are formatted as DateComponentsFormatter formats them")
    func lengths() {
        #expect(SystemCode.time(75) == "01:15" && SystemCode.time(5) == "00:05" && SystemCode.time(3725) == "01:02:05")
        #expect(
            SystemCode.time(75, isPadded: false) == "1:15" && SystemCode.time(5, isPadded: false) == "5"
                && SystemCode.time(3600, isPadded: false) == "1:00:00")
        #expect(
            SystemCode.time(75, .abbreviated, isPadded: false) == "1m 15s"
                && SystemCode.time(60, .full, isPadded: false) == "1 minute")
        #expect(
            SystemCode.time(75, .short, isPadded: false) == "1 min, 15 sec"
                && SystemCode.time(0, .full, isPadded: false) == "0 seconds")
        #expect(
            SystemCode.time(75, .spellOut, isPadded: false) == "one minute, fifteen seconds"
                && SystemCode.time(-75) == "-01:15")
        #expect(SystemCode.time(.nan) == nil && SystemCode.time(.infinity) == nil)
    }

    @Test("an asset equals only itself, and an item keeps its external metadata")
    func media() {
        let code = MediaCode()
        code.open(URL(fileURLWithPath: "/nowhere.mp4"))
        #expect(code.told.first == "true false", "an asset is equal to itself only")
        code.stop()
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nowhere.mp4"))
        code.metadata(item)
        #expect(item.externalMetadata.count == 2)
    }
}
