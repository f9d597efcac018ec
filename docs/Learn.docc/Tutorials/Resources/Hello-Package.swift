// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Hello",
    dependencies: [.package(path: "../zoetrope")],
    targets: [
        .executableTarget(
            name: "Hello",
            dependencies: [.product(name: "Zoetrope", package: "zoetrope")])
    ],
    swiftLanguageModes: [.v6])
