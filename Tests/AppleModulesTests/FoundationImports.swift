// `import Foundation` alone provides Combine, URLSession, XMLParser and key-value observation, as on Apple's platforms.
import Foundation

final class FoundationModel: ObservableObject {
    @Published var title = ""
    private var observation: NSKeyValueObservation?
    private var cancellables: Set<AnyCancellable> = []
    private let formatter = DateComponentsFormatter()

    func load(_ url: URL) -> URLSessionDataTask {
        Timer.publish(every: 1, on: .main, in: .common).autoconnect().sink { [weak self] _ in self?.title = "" }
            .store(in: &cancellables)
        return URLSession.shared.dataTask(with: URLRequest(url: url)) { _, _, _ in }
    }
    func data(_ request: URLRequest) async throws -> Data { try await URLSession.shared.data(for: request).0 }
    func isNewValue(_ kind: NSKeyValueChange) -> Bool { kind == .setting }
    func isXML(_ data: Data) -> Bool { XMLParser(data: data).parse() }
    func open(_ url: URL) throws -> Data {
        guard url.startAccessingSecurityScopedResource() else { return Data() }
        defer { url.stopAccessingSecurityScopedResource() }
        return try autoreleasepool { try url.bookmarkData(options: .minimalBookmark) }
    }
}
