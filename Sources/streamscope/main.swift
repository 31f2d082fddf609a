import App

await Process.main()
