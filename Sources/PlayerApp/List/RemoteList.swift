import Foundation
import MediaCore

/// Playlists on servers, such as the .m3u or .pls of an Internet radio station, or a shared playlist.
extension MediaList {
    /// The response of a server.
    package struct Fetched: Sendable {
        package let bytes: [UInt8]
        /// The URL of the response after redirects. Names in the playlist are relative to it.
        package let url: URL
        package init(_ bytes: [UInt8], from url: URL) {
            self.bytes = bytes
            self.url = url
        }
    }
    /// A function that loads at most `limit` bytes of a URL, with HTTP headers.
    package typealias Fetch =
        @Sendable (_ url: URL, _ headers: [String: String], _ limit: Int) async throws(AVError) -> Fetched

    /// Returns the format of a remote playlist by its name. An .m3u8 is a stream, which the player loads.
    private static func format(_ url: URL) -> ListFormat? {
        guard ["http", "https"].contains(url.scheme?.lowercased() ?? "") else { return nil }
        return switch url.pathExtension.lowercased() {
        case "m3u": .m3u
        case "pls": .pls
        case "xspf": .xspf
        default: nil
        }
    }

    /// Whether an entry is a playlist on a server.
    package var namesRemoteLists: Bool { entries.contains { MediaList.format($0.url) != nil } }

    /// Returns the list with playlists on servers replaced with their entries.
    ///
    /// A playlist that can't be loaded stays an entry, which fails when it plays. A playlist that can't be read is
    /// reported in `problems`.
    /// - Parameters:
    ///   - fetch: Loads a playlist.
    ///   - limits: The limits for reading playlists.
    ///   - found: A URL that playback has found to be a playlist (`AVError.isListOfMedia`), whatever its name; nil for
    ///     none.
    package func withRemoteLists(_ fetch: Fetch, limits: Limits = Limits(), found: URL? = nil) async -> MediaList {
        var all = MediaList()
        all.problems = problems
        _ = await all.take(self, fetch, limits, around: [], found)
        return all
    }

    /// Adds the entries of `list`.
    /// - Returns: False if the list is full, so that no more entries can be added. In this case, a problem is added.
    private mutating func take(
        _ list: MediaList, _ fetch: Fetch, _ limits: Limits, around: [URL], _ found: URL?
    ) async -> Bool {
        for entry in list.entries {
            guard let format = MediaList.format(entry.url) ?? (entry.url == found ? .m3u : nil) else {
                guard add(entry, limits) else { return false }
                continue
            }
            guard !around.contains(entry.url) else {
                addProblem(entry.url, "the playlist contains itself, directly or through another playlist")
                continue
            }
            guard around.count < limits.depth else {
                addProblem(entry.url, "playlists are nested more than \(limits.depth) levels deep")
                continue
            }
            guard let fetched = try? await fetch(entry.url, entry.headers, limits.bytes),
                format != .m3u || !ListText.isStream(fetched.bytes)
            else {
                guard add(entry, limits) else { return false }
                continue
            }
            do throws(AVError) {
                let read = try ListText(fetched.bytes, format: format, at: .server(fetched.url))
                problems += read.problems
                var inner = MediaList(read.entries)
                for index in inner.entries.indices {
                    // Headers of the whole playlist apply unless the entry has its own.
                    inner.entries[index].headers.merge(entry.headers) { own, _ in own }
                    inner.entries[index].source = entry.source
                }
                guard await take(inner, fetch, limits, around: around + [entry.url], nil) else { return false }
            } catch {
                problems.append(error)
            }
        }
        return true
    }

    /// Adds an entry. If the list is full, adds a problem instead and returns false.
    private mutating func add(_ entry: Entry, _ limits: Limits) -> Bool {
        guard entries.count < limits.entries else {
            addProblem(
                entry.url,
                "this item and all later ones are left out: the playlist has more than \(limits.entries) items")
            return false
        }
        entries.append(entry)
        return true
    }

    private mutating func addProblem(_ url: URL, _ reason: String) {
        problems.append(AVError(.playlistInvalid, at: url.location, reason: reason))
    }
}
