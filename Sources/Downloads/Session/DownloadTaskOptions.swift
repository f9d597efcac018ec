import Foundation
import FoundationNetworking
import MediaCore
import MediaEngine

/// The key for the minimum bit rate, an `Int` in bits per second.
///
/// Of the variants whose peak bit rate is at least the value, the least demanding one is loaded. If there is none, the
/// most demanding variant is loaded. The most demanding variant is also the default if neither this key nor
/// `AVAssetDownloadTaskMinimumRequiredPresentationSizeKey` is set.
public let AVAssetDownloadTaskMinimumRequiredMediaBitrateKey = "AVAssetDownloadTaskMinimumRequiredMediaBitrateKey"
/// The key for the minimum video size, a `CGSize` in pixels.
///
/// Works as `AVAssetDownloadTaskMinimumRequiredMediaBitrateKey` does. If both keys are set, a variant has to meet both.
public let AVAssetDownloadTaskMinimumRequiredPresentationSizeKey =
    "AVAssetDownloadTaskMinimumRequiredPresentationSizeKey"
/// The key for the `AVMediaSelection` that an `AVAssetDownloadTask` loads. Default: the asset's preferred selection.
public let AVAssetDownloadTaskMediaSelectionKey = "AVAssetDownloadTaskMediaSelectionKey"
/// The key for the preference of surround sound, a `Bool`.
///
/// If several variants have the same size, true prefers one with surround sound and false one without. Without the key,
/// the other keys decide.
public let AVAssetDownloadTaskMediaSelectionPrefersMultichannelKey =
    "AVAssetDownloadTaskMediaSelectionPrefersMultichannelKey"
/// The key for high dynamic range, a `Bool`, which has no effect: if a stream has variants of both kinds, standard
/// dynamic range is loaded.
public let AVAssetDownloadTaskAllowsHDRKey = "AVAssetDownloadTaskAllowsHDRKey"

/// The content that a task loads, and the values to store with it. Made from the app's options or from the database.
struct DownloadTaskOptions: Sendable {
    var download = DownloadOptions()
    private(set) var selections: [MediaChoice] = []
    /// The app's media selections, in the order of `selections`.
    private(set) var given: [AVMediaSelection] = []
    /// The qualifiers, one list per variant, that need the stream's list of variants. Empty if the qualities are known.
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
        let qualifierSets =
            [primary.variantQualifiers]
            + (wanted.optimizesAuxiliaryContentConfigurations ? [] : others.map(\.variantQualifiers))
        let known = qualifierSets.compactMap { AVAssetVariantQualifier.quality(of: $0) }
        if known.count == qualifierSets.count { setQualities(known) } else { qualifiers = qualifierSets }
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
        // A download sends the header only to the asset's server, which must not receive the cookies of other domains.
        let cookies = http.cookies.filter { http.sharesCredentials || $0.isSent(toHostOf: asset.url) }
        if !cookies.isEmpty {
            download.network.headers["Cookie"] = cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
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

/// A media selection as the database stores it: by the names in the playlist.
struct MediaChoice: Sendable, Hashable, Codable {
    enum Choice: Sendable, Hashable, Codable {
        case automatic, none
        case named(String)
    }
    var sound = Choice.automatic
    var text = Choice.automatic

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

    /// Returns the selection for an asset that is not loaded yet.
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

/// The values that a task stores with its download, as JSON.
struct DownloadTaskNote: Codable, Sendable {
    enum Kind: String, Codable, Sendable { case single, aggregate }
    var kind: Kind
    /// The task's `taskIdentifier`.
    var number: Int
    var description: String?
    var selections: [MediaChoice]
    /// Whether the end of the task was reported, so that the task is not restored.
    var isTold = false

    init(kind: Kind, number: Int, selections: [MediaChoice]) {
        self.kind = kind
        self.number = number
        self.selections = selections
    }

    /// Decodes a note, or returns nil if `text` is not a note.
    init?(_ text: String) {
        guard let note = try? JSONDecoder().decode(DownloadTaskNote.self, from: Data(text.utf8)) else { return nil }
        self = note
    }
    var text: String { (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "" }
}
