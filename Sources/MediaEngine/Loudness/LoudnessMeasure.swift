import CFFmpeg
import Foundation

/// How loud a track is as a whole, after EBU R 128.
struct LoudnessMeasure: Sendable, Hashable {
    /// Integrated loudness, LUFS, −70 … 10.
    let integrated: Double
    /// The highest true peak, dBTP, −120 … 60; nil: nobody knows, and so the sound is never made louder.
    let truePeak: Double?

    /// Where no sample may come, dBTP (R 128's maximum permitted level).
    static let ceiling = -1.0
    /// What is quieter than this, decibels below the target, stays that much quieter: it is noise, or meant so.
    static let mostGain = 30.0

    /// Nil for what is no loudness of anything (silence is −70 to meters), or no numbers.
    init?(integrated: Double, truePeak: Double?) {
        guard integrated > -70, integrated <= 10 else { return nil }
        self.integrated = integrated
        self.truePeak = truePeak.flatMap { $0 >= -120 && $0 <= 60 ? $0 : nil }
    }

    /// The factor that brings the track to `target`, LUFS, or as near as its peaks allow.
    func gain(to target: Double) -> Float {
        let room = truePeak.map { LoudnessMeasure.ceiling - $0 } ?? 0
        let wanted = min(target - integrated, LoudnessMeasure.mostGain)
        // What clips by itself is made quieter only as far as the target asks or its peaks do.
        return Float(pow(10, min(wanted, room) / 20))
    }
}

extension LoudnessMeasure {
    /// What tags say, whichever way they are spelled: Opus's `R128_TRACK_GAIN` (RFC 7845), which is laid on −23 LUFS,
    /// else ReplayGain's, which is laid on −18 LUFS (ReplayGain 2.0). Nil for none, and for what is no number.
    init?(tags: [String: String]) {
        func number(_ name: String) -> Double? {
            guard let text = tags[name]?.lowercased() else { return nil }
            // “-7.03 dB”; a comma is what some taggers write in some languages.
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

    /// Those of a stream or a container; later ones count where several say the same.
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
