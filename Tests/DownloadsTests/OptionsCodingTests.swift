import Downloads
import Foundation
import Testing

@Suite struct OptionsCodingTests {
    @Test("options are stored with the properties of the network beside the others")
    func flat() throws {
        let record =
            #"{"allowsUntrustedCertificates":true,"audioLanguages":["de"],"headers":{"Referer":"r"},"#
            + #""includesIFrames":true,"isProtected":false,"patience":20,"quality":{"best":{}},"#
            + #""sharing":true,"subtitleLanguages":[],"title":"t"}"#
        let options = try JSONDecoder().decode(DownloadOptions.self, from: Data(record.utf8))
        #expect(options.title == "t" && options.audioLanguages == ["de"] && options.quality == .best)
        #expect(options.network.headers == ["Referer": "r"] && options.network.patience == 20)
        #expect(options.network.sharesCredentials && options.network.allowsUntrustedCertificates)

        let stored = try JSONEncoder().encode(options)
        let (old, new) = (
            try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: Any],
            try JSONSerialization.jsonObject(with: stored) as? [String: Any]
        )
        #expect(old?.keys.sorted() == new?.keys.sorted())
        #expect(try JSONDecoder().decode(DownloadOptions.self, from: stored) == options)
    }

    @Test("a policy's patience is not negative", arguments: [(-1, 0), (.nan, 0), (20, 20), (.infinity, .infinity)])
    func patience(value: Double, kept: Double) {
        var policy = DownloadPolicy()
        policy.patience = value
        #expect(policy.patience == kept)
    }

    @Test("decoded values beyond a limit become the limit")
    func limits() throws {
        func policy(_ count: Int, _ other: Int) throws -> DownloadPolicy {
            let record =
                "{\"simultaneousDownloads\":\(count),\"simultaneousSegments\":\(count),\"bytesPerSecond\":\(other),"
                + "\"quota\":\(other),\"reservedSpace\":\(other),\"allowsMeteredNetwork\":true,\"patience\":\(other)}"
            return try JSONDecoder().decode(DownloadPolicy.self, from: Data(record.utf8))
        }
        var lowest = DownloadPolicy()
        (lowest.simultaneousDownloads, lowest.simultaneousSegments) = (1, 1)
        (lowest.bytesPerSecond, lowest.quota, lowest.reservedSpace, lowest.patience) = (0, 0, 0, 0)
        lowest.allowsMeteredNetwork = true
        #expect(try policy(0, -1) == lowest)
        let highest = try policy(17, 5)
        #expect(highest.simultaneousDownloads == 16 && highest.simultaneousSegments == 16)
        #expect(highest.bytesPerSecond == 5 && highest.quota == 5 && highest.reservedSpace == 5)
        #expect(highest.patience == 5)
        #expect(try JSONDecoder().decode(DownloadPolicy.self, from: JSONEncoder().encode(highest)) == highest)

        let network = Data(#"{"headers":{},"allowsUntrustedCertificates":false,"patience":-1}"#.utf8)
        #expect(try JSONDecoder().decode(DownloadOptions.Network.self, from: network).patience == 0)
    }
}
