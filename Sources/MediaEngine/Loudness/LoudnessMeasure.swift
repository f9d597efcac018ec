import CFFmpeg
import Foundation

/// The overall loudness of a track, as defined by EBU R 128.
struct LoudnessMeasure: Sendable, Hashable {
    /// The integrated loudness in LUFS, above −70 and at most 10.
    let integrated: Double
    /// The maximum true peak in dBTP, from −120 to 60. If nil, the peak is unknown, and the volume is never increased.
    let truePeak: Double?

    /// The maximum permitted true peak, in dBTP (EBU R 128).
    static let ceiling = -1.0
    /// The maximum gain in decibels. A track that would need more is noise or intentionally quiet.
    static let mostGain = 30.0

    /// Creates a measure. Nil if the loudness is −70 or less, which meters report for silence, or is otherwise invalid.
    init?(integrated: Double, truePeak: Double?) {
        guard integrated > -70, integrated <= 10 else { return nil }
        self.integrated = integrated
        self.truePeak = truePeak.flatMap { $0 >= -120 && $0 <= 60 ? $0 : nil }
    }

    /// Returns the gain factor that brings the track to `target`, in LUFS, as far as its peaks allow.
    func gain(to target: Double) -> Float {
        let headroom = truePeak.map { LoudnessMeasure.ceiling - $0 } ?? 0
        let requestedGain = min(target - integrated, LoudnessMeasure.mostGain)
        // Peaks limit the gain below the target, and even below 0 dB if they exceed the ceiling.
        return Float(pow(10, min(requestedGain, headroom) / 20))
    }
}

extension LoudnessMeasure {
    /// Creates a measure from tags; nil if there are none or their values are invalid.
    ///
    /// Reads Opus's `R128_TRACK_GAIN` (RFC 7845), which is relative to −23 LUFS. Otherwise reads ReplayGain tags, which
    /// are relative to −18 LUFS (ReplayGain 2.0).
    init?(tags: [String: String]) {
        func number(_ name: String) -> Double? {
            guard let text = tags[name]?.lowercased() else { return nil }
            // The format is “-7.03 dB”. In some languages, some tag editors write a decimal comma.
            let digits = (text.hasSuffix("db") ? String(text.dropLast(2)) : text).trimmingCharacters(in: .whitespaces)
                .replacingOccurrences(of: ",", with: ".")
            return Double(digits).flatMap { $0.isFinite ? $0 : nil }
        }
        let peak = number("REPLAYGAIN_TRACK_PEAK").flatMap { $0 > 0 ? 20 * log10($0) : nil }
        if let steps = number("R128_TRACK_GAIN"), abs(steps) <= 32768 {
            self.init(integrated: -23 - steps / 256, truePeak: peak)
        } else if let gain = number("REPLAYGAIN_TRACK_GAIN"), abs(gain) <= 60 {
            self.init(integrated: -18 - gain, truePeak: peak)
        } else {
            return nil
        }
    }

    /// Returns the tags of a stream and its container, with keys in upper case. A later dictionary overrides earlier
    /// ones.
    static func tags(_ dictionaries: OpaquePointer?...) -> [String: String] {
        var found: [String: String] = [:]
        for dictionary in dictionaries {
            var entry: UnsafeMutablePointer<AVDictionaryEntry>?
            while let next = av_dict_get(dictionary, "", entry, AV_DICT_IGNORE_SUFFIX) {
                entry = next
                guard let key = next.pointee.key, let value = next.pointee.value else { continue }
                found[String(cString: key).uppercased()] = String(cString: value)
            }
        }
        return found
    }
}
