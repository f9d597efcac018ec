import Foundation
import MediaCore

/// Lists that lie on servers: an Internet radio's .m3u or .pls, a shared playlist.
extension MediaList {
    /// What a server gave.
    package struct Fetched: Sendable {
        package let bytes: [UInt8]
        /// Where it came from in the end: names in it go on from there.
        package let url: URL
        package init(_ bytes: [UInt8], from url: URL) {
            self.bytes = bytes
            self.url = url
        }
    }
    /// Gets at most so many bytes of an address, with fields for the server.
    package typealias Fetch =
        @Sendable (_ url: URL, _ headers: [String: String], _ limit: Int) async throws(AVError) -> Fetched

    /// By its name: an .m3u8 is a stream, which whoever plays it loads.
    private static func format(_ url: URL) -> ListFormat? {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? "") else { return nil }
        return switch url.pathExtension.lowercased() {
        case "m3u": .m3u
        case "pls": .pls
        case "xspf": .xspf
        default: nil
        }
    }

    /// Something in it is a list on a server.
    package var namesRemoteLists: Bool { entries.contains { MediaList.format($0.url) != nil } }

    /// The same with what lists on servers name in their place. One that cannot be had stays an entry, which fails when
    /// it is played; one that cannot be read is told.
    /// - Parameter found: an address that playing has found to be a list of media (`AVError.isListOfMedia`), whatever
    ///   its name.
    package func withRemoteLists(_ fetch: Fetch, limits: Limits = Limits(), found: URL? = nil) async -> MediaList {
        var all = MediaList()
        all.problems = problems
        await all.take(self, fetch, limits, around: [], found)
        return all
    }

    private mutating func take(
        _ list: MediaList, _ fetch: Fetch, _ limits: Limits, around: [URL], _ found: URL?
    ) async {
        for entry in list.entries {
            guard let format = MediaList.format(entry.url) ?? (entry.url == found ? .m3u : nil) else {
                guard entries.count < limits.entries else {
                    return tell(
                        entry.url,
                        "this item and all later ones are left out: the playlist has more than \(limits.entries) items")
                }
                entries.append(entry)
                continue
            }
            guard !around.contains(entry.url) else {
                tell(entry.url, "the playlist contains itself, directly or through another playlist")
                continue
            }
            guard around.count < limits.depth else {
                tell(entry.url, "playlists are nested more than \(limits.depth) levels deep")
                continue
            }
            guard let fetched = try? await fetch(entry.url, entry.headers, limits.bytes),
                format != .m3u || !ListText.isStream(fetched.bytes)
            else {
                entries.append(entry)
                continue
            }
            do throws(AVError) {
                let read = try ListText(fetched.bytes, format: format, at: .server(fetched.url))
                problems += read.problems
                var inner = MediaList(read.entries)
                for index in inner.entries.indices {
                    // What was said of the whole list holds where it says nothing itself.
                    inner.entries[index].headers.merge(entry.headers) { own, _ in own }
                    inner.entries[index].source = entry.source
                }
                await take(inner, fetch, limits, around: around + [entry.url], nil)
            } catch {
                problems.append(error)
            }
        }
    }

    private mutating func tell(_ url: URL, _ reason: String) {
        problems.append(AVError(.playlistInvalid, at: url.location, reason: reason))
    }
}
