import Foundation

/// The sources of a project, with the modules and findings of all its files.
struct PortSources {
    private(set) var modules: [String: Set<String>] = [:]
    private(set) var findings: [PortSource.Finding] = []
    private(set) var hasPreviews = false
    /// The names of the apps that can't be linked, because they begin in none of their files.
    private(set) var appsWithoutEntryPoint: [String] = []

    init(_ project: PortProject) throws(ToolFailure) {
        let own = Set(project.targets.map(\.name)).union(project.targets.flatMap { $0.products.map(\.name) })
        for target in project.targets {
            var texts: [(file: String, text: String)] = []
            for file in target.sources {
                let path = project.folder.appendingPathComponent(file)
                guard let data = try? Data(contentsOf: path) else {
                    throw ToolFailure(.failed, "Can't read “\(path.path)”. Check the path and its permissions.")
                }
                texts.append((file, String(decoding: data, as: UTF8.self)))
            }
            let hasAppKit = texts.contains { file, text in
                PortSource(text, file: file, hasAppKit: false, others: own).imports.contains { $0.module == "AppKit" }
            }
            var hasPreview = false
            // The compiler reads a single file as a script.
            var hasEntryPoint = !target.isApp || texts.count == 1
            for (file, text) in texts {
                let source = PortSource(text, file: file, hasAppKit: hasAppKit, others: own)
                modules[target.name, default: []].formUnion(source.modules)
                findings += source.findings
                hasPreview = hasPreview || source.hasPreview
                hasEntryPoint = hasEntryPoint || source.hasEntryPoint
            }
            if !hasEntryPoint { appsWithoutEntryPoint.append(target.name) }
            hasPreviews = hasPreviews || hasPreview
            // The module with previews is imported in place of SwiftUI, so the manifest needs an alias for SwiftUI.
            if hasPreview, modules[target.name]?.isEmpty == false { modules[target.name]?.insert("SwiftUI") }
        }
        findings.sort()
    }
}
