import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine

/// `Int`, bits a second: of the rungs that have at least so many at their peak the least demanding is loaded; where
/// none has, the most demanding. Without this key and the next: the most demanding.
public let AVAssetDownloadTaskMinimumRequiredMediaBitrateKey = "AVAssetDownloadTaskMinimumRequiredMediaBitrateKey"
/// `CGSize`, pixels: the same for the picture's size. Both hold together.
public let AVAssetDownloadTaskMinimumRequiredPresentationSizeKey =
    "AVAssetDownloadTaskMinimumRequiredPresentationSizeKey"
/// `AVMediaSelection`: what an `AVAssetDownloadTask` loads; without it the asset's preferred one.
public let AVAssetDownloadTaskMediaSelectionKey = "AVAssetDownloadTaskMediaSelectionKey"
/// `Bool`: of rungs that are equally large, one with surround sound (true) or without (false), where both are offered.
/// Without it: whichever the other keys choose.
public let AVAssetDownloadTaskMediaSelectionPrefersMultichannelKey =
    "AVAssetDownloadTaskMediaSelectionPrefersMultichannelKey"
/// `Bool`; has no effect: of a stream that is offered in both, the ordinary dynamic range is loaded, as it is what is
/// played here.
public let AVAssetDownloadTaskAllowsHDRKey = "AVAssetDownloadTaskAllowsHDRKey"

/// What a task is to load, and how it is known by: from the app's words, or from the record. A value.
struct DownloadTaskOptions: Sendable {
    var download = DownloadOptions()
    private(set) var selections: [MediaChoice] = []
    /// As the app gave them, of `selections` one each.
    private(set) var given: [AVMediaSelection] = []
    /// Have to be looked for among the stream's variants first, one list a rung; empty: known.
    var qualifiers: [[AVAssetVariantQualifier]] = []

    init(
        _ asset: AVURLAsset, title: String, artwork: Data?, selections: [AVMediaSelection], options: [String: Any]?,
        _ configuration: URLSessionConfiguration
    ) {
        setAsset(asset, title: title, artwork: artwork, configuration)
        set(selections, in: asset)
        let size = options?[AVAssetDownloadTaskMinimumRequiredPresentationSizeKey] as? CGSize ?? .zero
        let bitRate = DownloadTaskOptions.number(options?[AVAssetDownloadTaskMinimumRequiredMediaBitrateKey])
        if size.width > 0 || size.height > 0 {
            download.quality = .minimum(
                bitRate: bitRate ?? 0, width: DownloadTaskOptions.pixels(size.width),
                height: DownloadTaskOptions.pixels(size.height))
        } else if let bitRate {
            download.quality = .minimumBitRate(bitRate)
        }
        download.prefersMultichannel = options?[AVAssetDownloadTaskMediaSelectionPrefersMultichannelKey] as? Bool
    }

    init(_ wanted: AVAssetDownloadConfiguration, _ configuration: URLSessionConfiguration) {
        setAsset(wanted.asset, title: wanted.title, artwork: wanted.artworkData, configuration)
        let primary = wanted.primaryContentConfiguration
        let others = wanted.auxiliaryContentConfigurations
        let first = primary.mediaSelections.isEmpty ? [wanted.asset.preferredMediaSelection] : primary.mediaSelections
        set(first + others.flatMap(\.mediaSelections), in: wanted.asset)
        let rungs =
            [primary.variantQualifiers]
            + (wanted.optimizesAuxiliaryContentConfigurations ? [] : others.map(\.variantQualifiers))
        let known = rungs.compactMap { AVAssetVariantQualifier.quality(of: $0) }
        if known.count == rungs.count { setQualities(known) } else { qualifiers = rungs }
    }

    mutating func setQualities(_ all: [DownloadOptions.Quality]) {
        download.quality = all.first ?? .best
        download.otherQualities = all.count > 1 ? Array(all.dropFirst()) : nil
    }

    private mutating func setAsset(
        _ asset: AVURLAsset, title: String, artwork: Data?, _ configuration: URLSessionConfiguration
    ) {
        download.title = title.isEmpty ? nil : title
        download.artwork = artwork
        let http = asset.httpOptions
        for (name, value) in configuration.httpAdditionalHeaders ?? [:] {
            guard let name = name as? String, let value = value as? String else { continue }
            download.network.headers[name] = value
        }
        download.network.headers.merge(http.headers) { $1 }
        if !http.cookies.isEmpty {
            download.network.headers["Cookie"] = http.cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
        }
        download.network.sharesCredentials = http.sharesCredentials
        download.network.userAgent = http.userAgent
        download.network.allowsUntrustedCertificates = http.allowsUntrustedCertificates
        download.network.allowsMeteredNetwork = configuration.allowsCellularAccess && !configuration.isDiscretionary
    }

    private mutating func set(_ all: [AVMediaSelection], in asset: AVURLAsset) {
        for selection in all.isEmpty ? [asset.preferredMediaSelection] : all {
            let choice = MediaChoice(selection)
            guard !selections.contains(choice) else { continue }
            selections.append(choice)
            given.append(selection)
        }
        var picks: [DownloadOptions.Rendition] = []
        for pick in selections.flatMap(\.renditions) where !picks.contains(pick) { picks.append(pick) }
        download.renditions = picks
    }

    private static func number(_ value: Any?) -> Int? {
        switch value {
        case let value as Int: value
        case let value as Double: Int(saturating: value)
        case let value as NSNumber: value.intValue
        default: nil
        }
    }
    private static func pixels(_ length: CGFloat) -> Int { Int(saturating: Double(length).rounded(.up)) }
}

/// A media selection as the record keeps it: what was chosen, by its name in the playlist. A value.
struct MediaChoice: Sendable, Hashable, Codable {
    enum Choice: Sendable, Hashable, Codable {
        case automatic, none
        case named(String)
    }
    var sound = Choice.automatic
    var text = Choice.automatic

    init() {}
    init(_ selection: AVMediaSelection) {
        sound = MediaChoice.choice(selection.chosenName(.audible))
        text = MediaChoice.choice(selection.chosenName(.legible))
    }

    private static func choice(_ name: String??) -> Choice {
        guard let name else { return .automatic }
        return name.map(Choice.named) ?? .none
    }

    var renditions: [DownloadOptions.Rendition] {
        var all: [DownloadOptions.Rendition] = []
        switch sound {
        case .automatic: all.append(.defaultAudio)
        case .named(let name): all.append(.audio(named: name))
        case .none: break
        }
        switch text {
        case .automatic: all.append(.defaultSubtitles)
        case .named(let name): all.append(.subtitles(named: name))
        case .none: break
        }
        return all
    }

    /// For an asset that nobody has read yet.
    func selection(in asset: AVURLAsset) -> AVMediaSelection {
        var names: [AVMediaCharacteristic: String?] = [:]
        for (trait, choice) in [(AVMediaCharacteristic.audible, sound), (.legible, text)] {
            switch choice {
            case .automatic: continue
            case .none: names.updateValue(nil, forKey: trait)
            case .named(let name): names[trait] = name
            }
        }
        return .named(names, in: asset)
    }
}

/// What a task keeps in the record beside the download itself, as JSON.
struct DownloadTaskNote: Codable, Sendable {
    enum Kind: String, Codable, Sendable { case single, aggregate }
    var kind: Kind
    /// `taskIdentifier`.
    var number: Int
    var description: String?
    var selections: [MediaChoice]
    /// Its end has been told: nobody restores it.
    var isTold = false

    init(kind: Kind, number: Int, selections: [MediaChoice]) {
        self.kind = kind
        self.number = number
        self.selections = selections
    }

    /// - Returns: nil for what none of ours has written.
    init?(_ text: String) {
        guard let note = try? JSONDecoder().decode(DownloadTaskNote.self, from: Data(text.utf8)) else { return nil }
        self = note
    }
    var text: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
